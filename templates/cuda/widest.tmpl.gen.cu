constexpr int N = mshadow::cuda::VectorLanes<{{vector_types}}>({{lanes}});
{{in_vectors}}
if (in_vectors) {
  {{start_vectors}}
} else {
  {{start_single}}
}
