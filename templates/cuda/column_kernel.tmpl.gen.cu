/// {{rule}}: a team of threads takes kRowLanes columns of a part, a thread of it one.
{{kernel_template}}
__global__ void __launch_bounds__(mshadow::cuda::kRowThreads)
{{function}}(const {{plan_type}} plan, const mshadow::index_t phase) {
  using mshadow::index_t;
  constexpr int N = 1;
  for (mshadow::cuda::ColumnTeam team(plan.parts, plan.cols, phase); !team.done(); team.next()) {
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
