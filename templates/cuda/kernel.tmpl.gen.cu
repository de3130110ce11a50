/// {{what}}.
{{kernel_template}}
__global__ void __launch_bounds__({{threads}})
{{signature}}
  const auto &plan = call.plan();
  {{rows}}
}
