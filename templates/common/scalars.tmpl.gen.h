{{#whole}}
struct {{rule}}Rule;  // a tag for the rule; defined below
{{/whole}}
{{#is_stage}}
struct {{rule}}Rule;  // a tag for a stage of {{title}}
{{/is_stage}}
{{#has_scalars}}

/// The scalars of {{rule}}, which are computed once per launch.
{{template}}
struct {{rule}}Scalars {
  {{fields}}
};
{{/has_scalars}}
