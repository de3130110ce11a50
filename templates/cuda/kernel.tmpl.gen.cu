/// {{rule}}: a thread takes vectors of N elements, V at a time; what is left of a row one by one.
{{kernel_template}}
__global__ void __launch_bounds__({{tuning}}.threads)
{{function}}(const {{plan_type}} plan) {
  for (mshadow::cuda::RowLoop row(plan.rows); !row.done(); row.next()) {
    {{rows}}
    mshadow::cuda::ColumnLoop<N, V> at(plan.cols);
    for (; at.has_all(); at.next_all()) {
      {{all_step}}
    }
    if constexpr (V > 1) {
      for (; at.has_one(); at.next_one()) {
        {{one_step}}
      }
    }
    if constexpr (N > 1) {
      for (at.to_rest(); at.has_rest(); at.next_rest()) {
        {{rest_step}}
      }
    }
  }
}
