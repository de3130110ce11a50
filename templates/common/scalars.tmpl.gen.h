struct {{rule}}Rule;  // names the rule; defined below
{{#has_scalars}}

/// The scalars of {{rule}}: computed once per launch, the same for every element.
{{template}}
struct {{rule}}Scalars {
  {{fields}}
};
{{/has_scalars}}
