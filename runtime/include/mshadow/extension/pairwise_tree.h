// SPDX-License-Identifier: Apache-2.0
/// \file pairwise_tree.h
/// The order in which reductions combine values: partial results of parts in the order of their
/// index, neighbours first.
#ifndef MSHADOW_EXTENSION_PAIRWISE_TREE_H_
#define MSHADOW_EXTENSION_PAIRWISE_TREE_H_

#include <type_traits>
#include <utility>

#include "mshadow/detail/row_tree.h"
#include "mshadow/expr/red.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// What a sum of DType accumulates in.
template <typename DType>
struct Accumulator {
  using type = DType;
};
template <>
struct Accumulator<half::half_t> {
  using type = float;
};
template <>
struct Accumulator<bfloat::bf16_t> {
  using type = float;
};

/// Whether a reducer says how results of two parts become one.
template <typename Reducer, typename Acc, typename = void>
constexpr bool kHasMerge = false;
template <typename Reducer, typename Acc>
constexpr bool
    kHasMerge<Reducer, Acc,
              std::void_t<decltype(Reducer::Merge(std::declval<Acc &>(), std::declval<Acc &>()))>> =
        true;

/// Takes the result of another part into \p dst.
template <typename Reducer, typename Acc>
MSHADOW_XINLINE void MergeInto(Acc &dst, Acc src) {
  if constexpr (kHasMerge<Reducer, Acc>) {
    Reducer::Merge(dst, src);
  } else {
    Reducer::Reduce(dst, src);
  }
}

/// The reducer of results of \p Reducer.
template <typename Reducer>
struct MergeReducer {
  template <typename Acc>
  MSHADOW_XINLINE static void Reduce(Acc &dst, Acc src) {
    MergeInto<Reducer>(dst, src);
  }
  template <typename Acc, std::enable_if_t<kHasMerge<Reducer, Acc>, int> = 0>
  MSHADOW_XINLINE static void Merge(Acc &dst, Acc src) {
    Reducer::Merge(dst, src);
  }
  template <typename Acc>
  MSHADOW_XINLINE static void SetInitValue(Acc &dst) {
    Reducer::SetInitValue(dst);
  }
};
template <typename Reducer>
struct MergeOf {
  using type = MergeReducer<Reducer>;
};
template <typename Reducer>
struct MergeOf<MergeReducer<Reducer>> {
  using type = MergeReducer<Reducer>;
};

/// kCount values, a power of two, combined as PairwiseTree combines so many leaves.
template <typename Reducer, int kCount, typename Acc>
MSHADOW_XINLINE Acc MergeLanes(Acc *lanes) {
  static_assert((kCount & (kCount - 1)) == 0, "a whole tree");
  for (int step = 1; step < kCount; step *= 2) {
    for (int l = 0; l < kCount; l += 2 * step) MergeInto<Reducer>(lanes[l], lanes[l + step]);
  }
  return lanes[0];
}

/// Combines leaves 0, 1, 2, … as ((0 1) (2 3)) ((4 5) …: the tree depends on the count alone. Each
/// leaf is kWidth values, or with kFewer the first \p width, that are reduced side by side.
template <typename Reducer, typename Acc, int kWidth, bool kFewer = false>
class PairwiseTree {
 public:
  MSHADOW_XINLINE explicit PairwiseTree(int width = kWidth) : width_(width) {}

  /// Adds the next leaf; or the tree of the next \p leaves, a power of two, where their number so
  /// far is a multiple of that.
  MSHADOW_XINLINE void Push(const Acc *leaf, index_t leaves = 1) {
    Acc *top = level_[depth_];
    for (int i = 0; i < width(); ++i) top[i] = leaf[i];
    ++depth_;
    for (index_t bit = leaves; (count_ & bit) != 0; bit <<= 1) Merge();
    count_ += leaves;
  }

  /// The result; the initial value if there was no leaf.
  MSHADOW_XINLINE const Acc *Finish() {
    if (depth_ == 0) {
      for (int i = 0; i < width(); ++i) Reducer::SetInitValue(level_[0][i]);
      depth_ = 1;
    }
    while (depth_ > 1) Merge();
    return level_[0];
  }

 private:
  MSHADOW_XINLINE void Merge() {
    --depth_;
    for (int i = 0; i < width(); ++i) MergeInto<Reducer>(level_[depth_ - 1][i], level_[depth_][i]);
  }

  /// GPUs keep the values in registers only if their number is a constant.
  MSHADOW_XINLINE int width() const { return kFewer ? width_ : kWidth; }

  static constexpr int kMaxDepth = 40;  // more than the bits of any count of leaves
  Acc level_[kMaxDepth][static_cast<size_t>(kWidth)];
  int width_;
  int depth_ = 0;
  index_t count_ = 0;
};

constexpr int kReduceLanes = kRowLanes;  ///< interleaved parts of a row
constexpr index_t kReduceLeaf = kRowLeaf;
/// Values of a column that make a leaf of its tree.
constexpr index_t kReduceLeafRows = kColumnLeaf;

/// Elements [begin, end) of row \p y, of which there is a leaf at most: element x goes to lane
/// x % kReduceLanes.
template <typename Reducer, typename Acc, typename Src>
MSHADOW_XINLINE void ReduceLeaf(const Src &src, index_t y, index_t begin, index_t end, Acc *lanes) {
  for (int l = 0; l < kReduceLanes; ++l) Reducer::SetInitValue(lanes[l]);
  index_t x = begin;
  for (; x + kReduceLanes <= end; x += kReduceLanes) {
    for (int l = 0; l < kReduceLanes; ++l) {
      Reducer::Reduce(lanes[l], static_cast<Acc>(src.Eval(y, x + l)));
    }
  }
  for (int l = 0; x < end; ++l, ++x) Reducer::Reduce(lanes[l], static_cast<Acc>(src.Eval(y, x)));
}

/// All \p cols elements of row \p y, leaf by leaf, to kReduceLanes \p lanes.
template <typename Reducer, typename Acc, typename Src>
MSHADOW_XINLINE void ReduceRow(const Src &src, index_t y, index_t cols, Acc *lanes) {
  PairwiseTree<Reducer, Acc, kReduceLanes> tree;
  index_t x = 0;
  do {  // one call, which is inlined with all that the source is
    ReduceLeaf<Reducer>(src, y, x, x + kReduceLeaf < cols ? x + kReduceLeaf : cols, lanes);
    if (cols <= kReduceLeaf) return;
    tree.Push(lanes);
    x += kReduceLeaf;
  } while (x < cols);
  const Acc *const result = tree.Finish();
  for (int l = 0; l < kReduceLanes; ++l) lanes[l] = result[l];
}

/// One of the lanes of ReduceRow.
template <typename Reducer, typename Acc, typename Src>
MSHADOW_XINLINE Acc ReduceLaneOfRow(const Src &src, index_t y, index_t cols, index_t lane) {
  PairwiseTree<Reducer, Acc, 1> tree;
  for (index_t begin = 0; begin < cols; begin += kReduceLeaf) {
    const index_t end = begin + kReduceLeaf < cols ? begin + kReduceLeaf : cols;
    Acc leaf;
    Reducer::SetInitValue(leaf);
    for (index_t x = begin + lane; x < end; x += kReduceLanes) {
      Reducer::Reduce(leaf, static_cast<Acc>(src.Eval(y, x)));
    }
    tree.Push(&leaf);
  }
  return *tree.Finish();
}

/// The lanes of a row, or of several, as one value.
template <typename Reducer, typename Acc>
MSHADOW_XINLINE Acc ReduceAcross(const Acc *lanes) {
  Acc all[kReduceLanes];
  for (int l = 0; l < kReduceLanes; ++l) all[l] = lanes[l];
  return MergeLanes<Reducer, kReduceLanes>(all);
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_PAIRWISE_TREE_H_
