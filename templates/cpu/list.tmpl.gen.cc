/// Adds a call of {{rule}} to a list.
{{template}}
{{signature}}
{{#has_types}}
  using Args = {{args_type}};
{{/has_types}}
  const auto plan = [](const void *kept) {
    Run{{rule}}(mshadow::cpu_list(), *static_cast<decltype(&args)>(kept));
  };
  {{call}}
}
