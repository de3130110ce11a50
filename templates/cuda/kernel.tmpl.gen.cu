/// {{what}}.
{{kernel_template}}
__global__ void __launch_bounds__({{threads}})
{{signature}}
  const auto &plan = call.plan();
  {{rows}}
{{#has_once}}
  if (call.is_last()) {  // a list runs the epilogue in the same launch
    {{once}}
  }
{{/has_once}}
}
