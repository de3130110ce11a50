// SPDX-License-Identifier: Apache-2.0
/// \file reduce_parts.h
/// Reductions to a vector in two passes: parts side by side, then the parts. GPUs always do that,
/// CPUs where the vector is too short to keep the threads busy. Parts are whole subtrees of
/// PairwiseTree, so that the result has the bits of one pass, whatever their size.
#ifndef MSHADOW_EXTENSION_REDUCE_PARTS_H_
#define MSHADOW_EXTENSION_REDUCE_PARTS_H_

#include "mshadow/expr/engine.h"
#include "mshadow/extension/reduce_planes.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// A power of two times \p unit rows, at least \p least, so that there are at most \p parts parts.
inline index_t PartRows(index_t rows, index_t unit, index_t least, index_t parts) {
  index_t size = unit;
  while (size < least || size * parts < rows) size *= 2;
  return size;
}

/// Element (p, x): column x reduced over the rows of part p.
template <typename Reducer, typename SrcExp, typename SrcDType, typename Acc>
struct ColumnPartsExp
    : MakeTensorExp<ColumnPartsExp<Reducer, SrcExp, SrcDType, Acc>, SrcExp, 2, Acc> {
  SrcExp src_;
  index_t rows_;
  index_t part_rows_;
  ColumnPartsExp(const SrcExp &src, const Shape<2> &source)
      : src_(src),
        rows_(source[0]),
        part_rows_(PartRows(rows_, kReduceLeafRows, 4 * kReduceLeafRows, 256)) {
    this->shape_ = Shape2((rows_ + part_rows_ - 1) / part_rows_, source[1]);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, true);
  }
  index_t CountReads() const { return part_rows_; }
};

/// Element (k, part * kReduceLanes + lane): a lane of the leaves of a part of result k.
template <typename Reducer, typename SrcExp, typename SrcDType, typename Acc>
struct PlanePartsExp
    : MakeTensorExp<PlanePartsExp<Reducer, SrcExp, SrcDType, Acc>, SrcExp, 2, Acc> {
  SrcExp src_;
  ChannelShape source_;
  index_t part_;  ///< leaves
  bool one_row_;
  PlanePartsExp(const SrcExp &src, const ChannelShape &source, bool one_row)
      : src_(src),
        source_(source),
        part_(PartRows(source.leaves(), 1, 1024 / (Leaf(source) + 1), 64)),
        one_row_(one_row) {
    this->shape_ = Shape2(source.kept, (source.leaves() + part_ - 1) / part_ * kReduceLanes);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, true);
  }
  index_t CountReads() const { return part_ * Leaf(source_) / kReduceLanes + 1; }

 private:
  /// Elements of a leaf.
  static index_t Leaf(const ChannelShape &source) {
    return source.plane() < kReduceLeaf ? source.plane() : kReduceLeaf;
  }
};

/// The reduction of parts: of columns, or of the lanes of rows.
template <typename Reducer, bool kColumns, typename Parts, typename Acc>
struct ReducePartsExp
    : MakeTensorExp<ReducePartsExp<Reducer, kColumns, Parts, Acc>, Parts, 1, Acc> {
  Parts src_;
  explicit ReducePartsExp(const Parts &parts) : src_(parts) {
    this->shape_ = Shape1(parts.shape_[kColumns ? 1 : 0]);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, true);
  }
};

}  // namespace detail

template <typename Reducer, typename SrcExp, typename SrcDType, typename Acc>
class Plan<detail::ColumnPartsExp<Reducer, SrcExp, SrcDType, Acc>, Acc> {
 public:
  explicit Plan(const detail::ColumnPartsExp<Reducer, SrcExp, SrcDType, Acc> &exp)
      : src_(MakePlan(exp.src_)), rows_(exp.rows_), part_rows_(exp.part_rows_) {}

  MSHADOW_XINLINE Acc Eval(index_t part, index_t x) const {
    detail::PairwiseTree<Reducer, Acc, 1> tree;
    const index_t end = Within(part * part_rows_ + part_rows_, rows_);
    for (index_t y = part * part_rows_; y < end;) {
      const index_t leaf_end = Within(y + detail::kReduceLeafRows, end);
      Acc leaf;
      Reducer::SetInitValue(leaf);
      for (; y < leaf_end; ++y) Reducer::Reduce(leaf, static_cast<Acc>(src_.Eval(y, x)));
      tree.Push(&leaf);
    }
    return *tree.Finish();
  }

  static constexpr bool kRuns = true;
  void EvalRun(index_t part, index_t x, int n, Acc *out) const {
    detail::PairwiseTree<Reducer, Acc, detail::kMaxRun> tree;
    const index_t end = Within(part * part_rows_ + part_rows_, rows_);
    for (index_t y = part * part_rows_; y < end;) {
      const index_t leaf_end = Within(y + detail::kReduceLeafRows, end);
      Acc leaf[detail::kMaxRun];
      for (Acc &value : leaf) Reducer::SetInitValue(value);
      detail::ReduceRun<Reducer, Acc, SrcDType>(src_, y, index_t{1}, leaf_end - y, x, n, leaf);
      tree.Push(leaf);
      y = leaf_end;
    }
    const Acc *const result = tree.Finish();
    for (int i = 0; i < n; ++i) out[i] = result[i];
  }

 private:
  MSHADOW_XINLINE static index_t Within(index_t i, index_t end) { return i < end ? i : end; }

  Plan<SrcExp, SrcDType> src_;
  index_t rows_;
  index_t part_rows_;
};

template <typename Reducer, typename SrcExp, typename SrcDType, typename Acc>
class Plan<detail::PlanePartsExp<Reducer, SrcExp, SrcDType, Acc>, Acc> {
 public:
  explicit Plan(const detail::PlanePartsExp<Reducer, SrcExp, SrcDType, Acc> &exp)
      : src_(MakePlan(exp.src_), exp.source_, exp.one_row_),
        source_(exp.source_),
        part_(exp.part_) {}

  MSHADOW_XINLINE Acc Eval(index_t k, index_t x) const {
    const index_t part = x / kLanes;
    detail::PairwiseTree<Reducer, Acc, 1> tree;
    ChannelLeaves leaf(source_, k, part * part_);
    for (index_t left = Count(part); left > 0; --left, leaf.next()) {
      Acc lane;
      Reducer::SetInitValue(lane);
      src_.template ReduceLane<Reducer>(leaf.plane(), leaf.begin() + x % kLanes, leaf.end(), &lane);
      tree.Push(&lane);
    }
    return *tree.Finish();
  }

  static constexpr bool kRuns = true;
  /// All lanes of a part at once; runs begin at one.
  void EvalRun(index_t k, index_t x, int n, Acc *out) const {
    int i = 0;
    for (; x % kLanes == 0 && i + kLanes <= n; i += kLanes) {
      const index_t part = (x + i) / kLanes;
      detail::ReduceLeavesToLanes<Reducer>(src_, ChannelLeaves(source_, k, part * part_),
                                           Count(part), out + i);
    }
    for (; i < n; ++i) out[i] = Eval(k, x + i);
  }

 private:
  static constexpr int kLanes = detail::kReduceLanes;

  /// Leaves of a part.
  MSHADOW_XINLINE index_t Count(index_t part) const {
    const index_t left = source_.leaves() - part * part_;
    return left < part_ ? left : part_;
  }

  detail::PlaneSource<Plan<SrcExp, SrcDType>, SrcDType> src_;
  ChannelShape source_;
  index_t part_;
};

template <typename Reducer, bool kColumns, typename Parts, typename Acc>
class Plan<detail::ReducePartsExp<Reducer, kColumns, Parts, Acc>, Acc> {
 public:
  explicit Plan(const detail::ReducePartsExp<Reducer, kColumns, Parts, Acc> &exp)
      : src_(MakePlan(exp.src_)), rows_(exp.src_.shape_[0]), cols_(exp.src_.shape_[1]) {}

  MSHADOW_XINLINE Acc Eval(index_t, index_t i) const {
    detail::PairwiseTree<Reducer, Acc, 1> result;
    if constexpr (kColumns) {
      for (index_t part = 0; part < rows_; ++part) Push(&result, part, i);
    } else {
      for (index_t lane = 0; lane < detail::kReduceLanes; ++lane) {
        detail::PairwiseTree<Reducer, Acc, 1> tree;
        for (index_t x = lane; x < cols_; x += detail::kReduceLanes) Push(&tree, i, x);
        result.Push(tree.Finish());
      }
    }
    return *result.Finish();
  }

 private:
  MSHADOW_XINLINE void Push(detail::PairwiseTree<Reducer, Acc, 1> *tree, index_t y,
                            index_t x) const {
    const Acc value = src_.Eval(y, x);
    tree->Push(&value);
  }

  Plan<Parts, Acc> src_;
  index_t rows_;
  index_t cols_;
};

namespace detail {

/// `dst saver scale * reduction of parts`.
template <typename Saver, typename Reducer, bool kColumns, typename Acc, typename Device,
          typename DType, typename Parts>
void FinishParts(Tensor<Device, 1, DType> *dst, const Parts &parts, DType scale) {
  const ReducePartsExp<Reducer, kColumns, Parts, Acc> all(parts);
  ExpEngine<Saver, Tensor<Device, 1, DType>, DType>::Eval(
      dst, tcast<DType>(all * ScalarCast<Acc>(scale)));
}

}  // namespace detail

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_REDUCE_PARTS_H_
