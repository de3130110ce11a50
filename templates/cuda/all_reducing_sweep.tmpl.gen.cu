/// Sweep {{number}} of {{rule}}: a block takes a part.
{{kernel_template}}
__global__ void __launch_bounds__(mshadow::cuda::kRowThreads)
{{function}}(const {{plan_type}} plan) {
  using mshadow::index_t;
  constexpr int N = 1;
  {{values}}
  for (mshadow::cuda::PartTeam team(plan.parts); !team.done(); team.next()) {
    {{reductions}}
    for (mshadow::cuda::PartLeaves leaf(team); !leaf.done(); leaf.next()) {
      {{begin}}
      mshadow::cuda::Place at(leaf.begin(), plan.rows, plan.cols);
      for (; at.index() < leaf.end(); at.Move(mshadow::kRowLanes)) {
        {{rows}}
        {{step}}
      }
      {{push}}
    }
    {{parts}}
  }
}
