/// {{rule}}: a team of threads takes kRowLanes columns, a thread of it one.
{{kernel_template}}
__global__ void __launch_bounds__(mshadow::cuda::kRowThreads)
{{function}}(const {{plan_type}} plan) {
  using mshadow::index_t;
  constexpr int N = 1;
  for (mshadow::cuda::ColumnTeam team(plan.rows, plan.cols); !team.done(); team.next()) {
    const index_t x = team.x();
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
