/// Launches {{rule}} {{how}}.
{{start_template}}
{{signature}}
{{#is_tuned}}
  constexpr int V = {{tuning}}.vectors;
{{/is_tuned}}
  {{kernel}}
{{#keeps}}
  using Kept = typename {{plan_type}}::Kept;
{{/keeps}}
{{#takes_leaves}}
  if ({{for_leaves}}) {
    {{after_leaves}}
  }
{{/takes_leaves}}
  {{launch}}
}
{{#takes_vectors}}

/// Launches {{rule}} with the widest vectors if the operands allow these, else with single
/// elements.
{{widest_template}}
{{widest_signature}}
  constexpr int N = mshadow::cuda::VectorLanes<{{vector_types}}>({{lanes}});
  {{in_vectors}}
  if (in_vectors) {
    {{start}}{{vector_args}}(plan, stream);
  } else {
    {{start}}{{single_args}}(plan, stream);
  }
}
{{/takes_vectors}}
