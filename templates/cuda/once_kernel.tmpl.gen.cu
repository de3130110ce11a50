/// What {{rule}} does once, {{when}}: one block.
{{kernel_template}}
__global__ void __launch_bounds__(mshadow::cuda::kRowThreads)
{{function}}(const {{plan_type}} plan) {
  using mshadow::index_t;
  constexpr int N = 1;
  {{values}}
  const mshadow::cuda::Team team;
{{#reduces}}
  {{reductions}}
  for (mshadow::cuda::PartRounds round(team, plan.parts); !round.done(); round.next()) {
    {{begin}}
    if (round.has_part()) {
      {{take}}
    }
    {{push}}
  }
{{/reduces}}
  {{call}}
  if (team.is_first()) {
    {{stores}}
  }
}
