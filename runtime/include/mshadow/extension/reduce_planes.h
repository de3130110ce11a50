// SPDX-License-Identifier: Apache-2.0
/// \file reduce_planes.h
/// Reductions that keep another dimension than the last. What is reduced to one value lies in
/// planes: the elements with one index in each dimension up to the kept one, a row each of as many
/// elements as those behind it have. Leaves of planes are combined as row_tree.h has it, those of
/// one plane before the next's.
#ifndef MSHADOW_EXTENSION_REDUCE_PLANES_H_
#define MSHADOW_EXTENSION_REDUCE_PLANES_H_

#include "mshadow/emitted/channels.h"
#include "mshadow/extension/reduce_blocks.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// The planes of a source: element e of plane p.
template <typename Src, typename DType>
class PlaneSource {
 public:
  /// \param one_row whether the source's elements may be read as one row: IsOneRow
  PlaneSource(const Src &src, const ChannelShape &shape, bool one_row)
      : src_(src),
        size_(shape.plane()),
        cols_(one_row ? shape.outer * shape.kept * size_ : shape.cols),
        inner_(shape.inner),
        one_row_(one_row) {}

  /// Calls `visit(y, x, count)` for elements [begin, end) of a plane, as they lie in rows.
  template <typename Visit>
  MSHADOW_XINLINE void ForEachPiece(index_t plane, index_t begin, index_t end,
                                    const Visit &visit) const {
    if (one_row_) return visit(index_t{0}, plane * size_ + begin, end - begin);
    index_t y = plane * inner_ + begin / cols_;
    index_t x = begin % cols_;
    for (index_t left = end - begin; left > 0; ++y, x = 0) {
      const index_t count = left < cols_ - x ? left : cols_ - x;
      visit(y, x, count);
      left -= count;
    }
  }

  /// Every kReduceLanes-th element of a plane from \p begin on, up to \p end.
  template <typename Reducer, typename Acc>
  MSHADOW_XINLINE void ReduceLane(index_t plane, index_t begin, index_t end, Acc *lane) const {
    index_t y = one_row_ ? 0 : plane * inner_ + begin / cols_;
    index_t x = one_row_ ? plane * size_ + begin : begin % cols_;
    for (index_t e = begin; e < end; e += kReduceLanes) {
      Reducer::Reduce(*lane, static_cast<Acc>(src_.Eval(y, x)));
      for (x += kReduceLanes; x >= cols_; x -= cols_) ++y;
    }
  }

  /// A leaf: in memory, or in \p values after evaluation.
  template <typename Acc>
  MSHADOW_CINLINE const Acc *Values(index_t plane, index_t begin, index_t end, Acc *values) const {
    if constexpr (kIsPlanOfTensor<Src> && std::is_same_v<Acc, DType>) {
      if (one_row_) return &src_.Eval(0, plane * size_ + begin);
    }
    Acc *out = values;
    ForEachPiece(plane, begin, end, [&](index_t y, index_t x, index_t count) {
      for (index_t i = 0; i < count; i += kMaxRun) {
        const int n = static_cast<int>(count - i < kMaxRun ? count - i : kMaxRun);
        const Run<Src, DType> run(src_, y, x + i, n);
        for (int j = 0; j < n; ++j) out[j] = static_cast<Acc>(run[j]);
        out += n;
      }
    });
    return values;
  }

 private:
  Src src_;
  index_t size_;
  index_t cols_;
  index_t inner_;
  bool one_row_;
};

/// A leaf of a plane to kReduceLanes \p lanes.
template <typename Reducer, typename Acc, typename Source>
MSHADOW_CINLINE void ReducePlaneLeaf(const Source &src, const ChannelLeaf &leaf, Acc *lanes) {
  Acc buffer[kReduceLeaf];
  const Acc *const values = src.Values(leaf.plane, leaf.begin, leaf.end, buffer);
  const int count = static_cast<int>(leaf.end - leaf.begin);
  if constexpr (kHasLaneVector<Reducer, Acc>) {
    ReduceValuesVector<Reducer>(values, count, lanes);
  } else {
    for (int l = 0; l < kReduceLanes; ++l) Reducer::SetInitValue(lanes[l]);
    for (int i = 0; i < count; ++i) Reducer::Reduce(lanes[i % kReduceLanes], values[i]);
  }
}

/// Leaves \p leaf and \p count - 1 more to the kReduceLanes \p lanes of one result. kTeam
/// neighbours are merged before they are pushed.
template <typename Reducer, typename Acc, typename Source>
MSHADOW_CINLINE void ReduceLeavesToLanes(const Source &src, ChannelLeaves leaf, index_t count,
                                         Acc *lanes) {
  constexpr int kTeam = 8;
  PairwiseTree<Reducer, Acc, kReduceLanes> tree;
  Acc team[kTeam][kReduceLanes];
  while (count > 0) {
    const int n = count < kTeam ? 1 : kTeam;
    for (int i = 0; i < n; ++i, leaf.next()) ReducePlaneLeaf<Reducer>(src, leaf.leaf(), team[i]);
    if (n == kTeam) MergeRows<Reducer, kTeam>(team);
    tree.Push(team[0], n);
    count -= n;
  }
  const Acc *const result = tree.Finish();
  for (int l = 0; l < kReduceLanes; ++l) lanes[l] = result[l];
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_REDUCE_PLANES_H_
