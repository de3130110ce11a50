/// {{what}}.
{{kernel_template}}
__global__ void __launch_bounds__({{threads}})
{{signature}}
  {{rows}}
}
