/// Sweep {{number}} of {{rule}}: a thread for each element.
{{kernel_template}}
__global__ void __launch_bounds__(mshadow::cuda::kRowThreads)
{{function}}(const {{plan_type}} plan) {
  using mshadow::index_t;
  constexpr int N = 1;
  {{values}}
  for (mshadow::cuda::GridPlaces at(plan.rows, plan.cols); !at.done(); at.next()) {
    {{rows}}
    {{step}}
  }
}
