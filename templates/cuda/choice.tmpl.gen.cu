/// {{rule}} by vectors of N elements.
{{start_template}}
{{signature}}
  constexpr int V = {{tuning}}.vectors;
  {{kernel}}
  {{launch}}
}

/// {{rule}} by vectors of 16 bytes, or single elements: as addresses allow.
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
