/// Checks the arguments of all stages of {{rule}}, then runs the stages in order.
{{run_template}}
{{run_signature}}
  {{opened}}
  mshadow::LaunchCheck check("{{rule}}", device);
  {{arguments}}
  void *const stream = check.Run().stream;
{{#has_memory}}
  {{shapes}}
  {{memory}}
{{/has_memory}}
{{#has_calls}}
  {{calls}}
{{/has_calls}}
{{#kernels}}
  {{plan}}
  {{prepare}}
{{/kernels}}

  if constexpr (mshadow::detail::kIsList<xpu>) {
    mshadow::AddToList(mshadow::KeptPlan(args, [](const void *kept) {
      Run{{rule}}(typename xpu::Device(), *static_cast<decltype(&args)>(kept));
    }));
  } else {
    {{run}}
  }
}
