/// {{rule}} by vectors of N elements.
{{start_template}}
void {{start}}(const {{plan_type}} &plan, void *stream) {
  constexpr int V = {{tuning}}.vectors;
  {{kernel}}
  mshadow::cuda::Launch("{{rule}}", kernel, {{tuning}}, N * V, plan, stream);
}

/// {{rule}} by the widest vectors that its tensors' addresses allow: 16 bytes, or single elements.
{{widest_template}}
void {{start_widest}}(const {{plan_type}} &plan, void *stream) {
  constexpr int N = mshadow::cuda::VectorLanes<{{vector_types}}>({{tuning}}.lanes);
  {{aligned}}
  if (aligned) {
    {{start}}{{vector_args}}(plan, stream);
  } else {
    {{start}}{{single_args}}(plan, stream);
  }
}
