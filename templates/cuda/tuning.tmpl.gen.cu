/// How {{rule}} is launched: threads of a block, elements of a vector at most,
/// vectors that a thread loads before it computes, waves of blocks.
constexpr mshadow::cuda::Tuning {{tuning}} = {{values}};
