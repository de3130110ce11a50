/// Adds a call of {{rule}} to a list.
{{template}}
{{signature}}
{{#has_types}}
  using Args = {{args_type}};
{{/has_types}}
  {{call}}
}
