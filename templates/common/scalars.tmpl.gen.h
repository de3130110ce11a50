{{#whole}}
struct {{rule}}Rule;  // names the rule; defined below
{{/whole}}
{{#is_stage}}
struct {{rule}}Rule;  // names a stage of {{title}}
{{/is_stage}}
{{#has_scalars}}

/// The scalars of {{rule}}: computed once per launch, the same for every element.
{{template}}
struct {{rule}}Scalars {
  {{fields}}
};
{{/has_scalars}}
