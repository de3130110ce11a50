{{template}}
{{signature}}
{{#has_types}}
  using Args = {{args_type}};
{{/has_types}}
  {{call}}
}
{{instances}}
