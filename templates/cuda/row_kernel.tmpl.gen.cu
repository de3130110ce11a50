/// {{rule}}: a team of threads takes a row.
{{kernel_template}}
__global__ void __launch_bounds__(mshadow::cuda::kRowThreads)
{{function}}(const {{plan_type}} plan) {
  using mshadow::index_t;
  constexpr int N = 1;
{{#buffers}}
  constexpr bool kBuffered = false;  // where memory is slower than functions
{{/buffers}}
  for (mshadow::cuda::RowTeam team(plan.rows, plan.cols); !team.done(); team.next()) {
    const index_t y = team.y();
    {{locals}}
    {{phases}}
    {{sync}}
{{#has_stores}}
    if (team.stores()) {
      {{stores}}
    }
{{/has_stores}}
  }
}
