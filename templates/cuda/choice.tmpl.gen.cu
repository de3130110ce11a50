/// Launches {{rule}} with vectors of N elements.
{{start_template}}
{{signature}}
  constexpr int V = {{tuning}}.vectors;
  {{kernel}}
  {{launch}}
}

/// Launches {{rule}} with vectors of 16 bytes if all addresses allow it, else with single elements.
{{widest_template}}
{{widest_signature}}
  constexpr int N = mshadow::cuda::VectorLanes<{{vector_types}}>({{tuning}}.lanes);
  {{aligned}}
  if (aligned) {
    {{start}}{{vector_args}}(plan, stream);
  } else {
    {{start}}{{single_args}}(plan, stream);
  }
}
