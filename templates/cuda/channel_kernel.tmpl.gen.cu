/// {{rule}}: a team of threads takes a {{unit}}, or a part of one.
{{kernel_template}}
__global__ void __launch_bounds__(mshadow::cuda::kRowThreads)
{{function}}(const {{plan_type}} plan{{phase_param}}) {
  using mshadow::index_t;
  constexpr int N = 1;
  for (mshadow::cuda::ChannelTeam team(plan.channels, plan.parts, {{phase}}); !team.done();
       team.next()) {
    const index_t channel = {{channel}};
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
