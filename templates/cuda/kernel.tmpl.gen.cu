/// {{rule}}: a thread takes vectors of N elements, V at a time; what is left of a row one by one.
{{kernel_template}}
__global__ void __launch_bounds__({{tuning}}.threads)
{{function}}(const {{plan_type}} plan) {
  for (mshadow::cuda::RowLoop row(plan.rows); !row.done(); row.next()) {
    {{elements}}
  }
}
