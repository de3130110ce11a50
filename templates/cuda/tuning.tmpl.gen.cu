/// How {{rule}} is launched: threads per block, most elements per vector, vectors that
/// a thread loads before it computes, waves of blocks.
constexpr mshadow::cuda::Tuning {{tuning}} = {{values}};
