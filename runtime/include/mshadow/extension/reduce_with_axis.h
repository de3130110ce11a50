// SPDX-License-Identifier: Apache-2.0
/// \file reduce_with_axis.h
/// Reductions along a dimension, as expressions: reduce_with_axis, reduce_keepdim,
/// reduce_multi_axes. Within a larger expression an element is reduced each time it is read. What
/// is broadcast is evaluated once, before the rest (materialised.h).
#ifndef MSHADOW_EXTENSION_REDUCE_WITH_AXIS_H_
#define MSHADOW_EXTENSION_REDUCE_WITH_AXIS_H_

#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/errors.h"
#include "mshadow/extension/reduce_blocks.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// Reduces one dimension by \p Reducer. The dimension is dropped if dimdst = dimsrc - 1, else it
/// has extent 1.
/// \tparam mask the result is the index of the element that the reducer chose
template <typename Reducer, typename SrcExp, typename DType, int dimsrc, bool mask, int dimdst>
struct ReduceWithAxisExp
    : MakeTensorExp<ReduceWithAxisExp<Reducer, SrcExp, DType, dimsrc, mask, dimdst>, SrcExp, dimdst,
                    DType> {
  static constexpr bool kKeepDim = dimsrc == dimdst;
  SrcExp src_;
  detail::AxisMap<dimdst> map_;  ///< from a result to the first element that is reduced to it
  detail::Place step_;           ///< the distance from one such element to the next
  index_t size_;                 ///< how many elements are reduced to a result
  bool last_;                    ///< whether the last dimension is reduced

  ReduceWithAxisExp(const SrcExp &src, int axis) : src_(src) {
    detail::CheckAxis(kKeepDim ? "reduce_keepdim" : "reduce_with_axis", axis, 0, dimsrc - 1);
    const Shape<dimsrc> source = ShapeCheck<dimsrc, SrcExp>::Check(src);
    size_ = source[axis];
    if (mask) detail::CheckNumbers(::mshadow::detail::FindUncountable<DType>(size_));
    step_ = detail::StepAlong(source, axis);
    last_ = axis == dimsrc - 1;
    for (int d = 0; d < dimdst; ++d) {
      this->shape_[d] = kKeepDim && d == axis ? 1 : source[FromDim(d, axis)];
    }
    map_ = detail::AxisMap<dimdst>(this->shape_);
    for (int d = 0; d < dimdst; ++d) {
      if (!kKeepDim || d != axis) map_.set_step(d, detail::StepAlong(source, FromDim(d, axis)));
    }
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, true);
  }
  index_t CountReads() const { return size_; }

 private:
  static int FromDim(int d, int axis) { return kKeepDim || d < axis ? d : d + 1; }
};

/// The order of a reduction depends only on how many elements it has, and on whether it reduces the
/// last dimension. A reducer without Merge takes elements one after the other. Otherwise a row is
/// reduced in interleaved lanes, so that it can be vectorised (ReduceRow). A column is reduced in
/// leaves of kLeafRows rows, which PairwiseTree combines.
template <typename Reducer, typename SrcExp, typename DType, int dimsrc, bool mask, int dimdst>
class Plan<ReduceWithAxisExp<Reducer, SrcExp, DType, dimsrc, mask, dimdst>, DType> {
 public:
  using Node = ReduceWithAxisExp<Reducer, SrcExp, DType, dimsrc, mask, dimdst>;
  explicit Plan(const Node &exp)
      : src_(MakePlan(exp.src_)),
        map_(exp.map_.Merged()),
        step_(exp.step_),
        size_(exp.size_),
        last_(exp.last_) {}

  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    const detail::Place at = map_.At(y, x);
    if constexpr (mask) {
      return ScalarCast<DType>(ArgReduce(at));
    } else if constexpr (!kCanSplit) {
      return ScalarCast<DType>(InOrder(at, 0, size_));
    } else {
      return ScalarCast<DType>(last_ ? InLanes(at.row) : InLeaves(at));
    }
  }

  static constexpr bool kRuns = true;
  void EvalRun(index_t y, index_t x, int n, DType *out) const {
    if (last_) {
      Rows(y, x, n, out);
    } else if constexpr (mask) {
      ArgColumns(map_.At(y, x), n, out);
    } else {
      Columns(map_.At(y, x), n, out);
    }
  }

 private:
  using Acc = typename detail::Accumulator<DType>::type;
  static constexpr bool kCanSplit = detail::kHasMerge<Reducer, Acc>;
  static constexpr index_t kLeafRows = detail::kReduceLeafRows;
  static constexpr int kArgRows = 4;

  MSHADOW_XINLINE Acc Source(detail::Place at, index_t k) const {
    return static_cast<Acc>(src_.Eval(at.row + k * step_.row, at.col + k * step_.col));
  }

  MSHADOW_XINLINE Acc InOrder(detail::Place at, index_t begin, index_t end) const {
    Acc result;
    Reducer::SetInitValue(result);
    for (index_t k = begin; k < end; ++k) Reducer::Reduce(result, Source(at, k));
    return result;
  }

  /// The index at which the result last changed. A change from NaN to NaN is none.
  MSHADOW_XINLINE index_t ArgReduce(detail::Place at) const {
    Acc result;
    Reducer::SetInitValue(result);
    index_t found = 0;
    for (index_t k = 0; k < size_; ++k) Choose(&result, &found, Source(at, k), k);
    return found;
  }
  MSHADOW_XINLINE static void Choose(Acc *result, index_t *found, Acc value, index_t k) {
    const Acc before = *result;
    Reducer::Reduce(*result, value);
    using ::mshadow::detail::IsEqual;
    const bool is_number = IsEqual(*result, *result) || IsEqual(before, before);
    const bool changed = !IsEqual(*result, before) && is_number;
    *found = changed ? k : *found;
  }
  void ArgColumns(detail::Place at, int n, DType *out) const {
    Acc result[detail::kMaxRun];
    index_t found[detail::kMaxRun] = {};
    for (Acc &value : result) Reducer::SetInitValue(value);
    for (index_t k = 0; k < size_; ++k) {
      const detail::Run<Plan<SrcExp, DType>, DType> run(src_, at.row + k * step_.row, at.col, n);
      for (int i = 0; i < n; ++i) Choose(result + i, found + i, static_cast<Acc>(run[i]), k);
    }
    for (int i = 0; i < n; ++i) out[i] = ScalarCast<DType>(found[i]);
  }

  MSHADOW_XINLINE Acc InLeaves(detail::Place at) const {
    detail::PairwiseTree<Reducer, Acc, 1> tree;
    for (index_t k = 0;; k += kLeafRows) {  // one call: all of the source is inlined into it
      const bool is_last = size_ - k <= kLeafRows;
      const Acc leaf = InOrder(at, k, is_last ? size_ : k + kLeafRows);
      if (is_last && k == 0) return leaf;
      tree.Push(&leaf);
      if (is_last) break;
    }
    return *tree.Finish();
  }

  /// Reduces the last dimension: adjacent elements of row \p row of the source.
  MSHADOW_XINLINE Acc InLanes(index_t row) const {
    Acc lanes[detail::kReduceLanes];
    detail::ReduceRow<Reducer>(src_, row, size_, lanes);
    return detail::ReduceAcross<Reducer>(lanes);
  }

  /// Computes n results, each of a row.
  void Rows(index_t y, index_t x, int n, DType *out) const {
    if constexpr (!mask && kCanSplit) {
      const detail::Place at = map_.At(y, x);
      const detail::Signed step = map_.step().row;
      for (int i = 0; i < n; i += detail::kRowBlock) {
        const int count = n - i < detail::kRowBlock ? n - i : detail::kRowBlock;
        Acc results[detail::kRowBlock];
        detail::ReduceRowBlock<Reducer>(src_, at.row + i * step, step, count, size_, results);
        for (int k = 0; k < count; ++k) out[i + k] = ScalarCast<DType>(results[k]);
      }
    } else if constexpr (mask) {
      const detail::Place at = map_.At(y, x);
      const detail::Signed step = map_.step().row;
      int i = 0;
      for (; i + kArgRows <= n; i += kArgRows) ArgRows({at.row + i * step, at.col}, step, out + i);
      for (; i < n; ++i) out[i] = Eval(y, x + i);
    } else {
      for (int i = 0; i < n; ++i) out[i] = Eval(y, x + i);
    }
  }
  /// Does as ArgReduce, for several rows that are \p step apart. Each row is a chain of operations
  /// that wait for each other, so several chains run side by side.
  void ArgRows(detail::Place at, detail::Signed step, DType *out) const {
    Acc result[kArgRows];
    index_t found[kArgRows] = {};
    for (Acc &value : result) Reducer::SetInitValue(value);
    for (index_t k = 0; k < size_; ++k) {
      for (int r = 0; r < kArgRows; ++r) {
        Choose(result + r, found + r, Source({at.row + r * step, at.col}, k), k);
      }
    }
    for (int r = 0; r < kArgRows; ++r) out[r] = ScalarCast<DType>(found[r]);
  }

  /// Computes n columns side by side, each as in InLeaves or InOrder. Rows are read in the order of
  /// memory.
  void Columns(detail::Place at, int n, DType *out) const {
    const index_t leaf_rows = kCanSplit && size_ > kLeafRows ? kLeafRows : size_;
    detail::PairwiseTree<Reducer, Acc, detail::kMaxRun, true> tree(n);
    Acc leaf[detail::kMaxRun];
    for (int i = 0; i < n; ++i) Reducer::SetInitValue(leaf[i]);
    for (index_t k = 0; k < size_;) {
      const index_t end = k + leaf_rows < size_ ? k + leaf_rows : size_;
      detail::ReduceRun<Reducer, Acc, DType>(src_, at.row + k * step_.row, step_.row, end - k,
                                             at.col, n, leaf);
      k = end;
      if (leaf_rows == size_) break;
      tree.Push(leaf);
      for (int i = 0; i < n; ++i) Reducer::SetInitValue(leaf[i]);
    }
    const Acc *const result = leaf_rows == size_ ? leaf : tree.Finish();
    for (int i = 0; i < n; ++i) out[i] = ScalarCast<DType>(result[i]);
  }

  Plan<SrcExp, DType> src_;
  detail::AxisMap<dimdst> map_;
  detail::Place step_;
  index_t size_;
  bool last_;
};

/// Reduces \p src along dimension \p axis. The result does not have that dimension.
/// \tparam mask return the index that \p Reducer chose (maximum, minimum; the first of equal ones),
///     as an element of src's type
/// \throws Error if there is no such dimension, or its indices do not fit the element type
template <typename Reducer, bool mask, typename SrcExp, typename DType, int etype,
          int dim = ExpInfo<SrcExp>::kDim>
ReduceWithAxisExp<Reducer, SrcExp, DType, dim, mask, dim - 1> reduce_with_axis(
    const Exp<SrcExp, DType, etype> &src, int axis) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  static_assert(dim >= 2,
                "reduce_with_axis takes an expression of rank 2 or more; a vector is "
                "reduced by reduce_keepdim or reduce_all");
  return ReduceWithAxisExp<Reducer, SrcExp, DType, dim, mask, dim - 1>(src.self(), axis);
}

/// The same, but the result has extent 1 in that dimension.
template <typename Reducer, bool mask, typename SrcExp, typename DType, int etype,
          int dim = ExpInfo<SrcExp>::kDim>
ReduceWithAxisExp<Reducer, SrcExp, DType, dim, mask, dim> reduce_keepdim(
    const Exp<SrcExp, DType, etype> &src, int axis) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  return ReduceWithAxisExp<Reducer, SrcExp, DType, dim, mask, dim>(src.self(), axis);
}

namespace detail {
/// Reduces dimensions axes[count - 1], …, axes[0], one after the other.
template <int count, typename Reducer, typename E, int dim>
auto ReduceAxes(const E &exp, const Shape<dim> &axes) {
  if constexpr (count == 0) {
    return exp;
  } else {
    return ReduceAxes<count - 1, typename MergeOf<Reducer>::type>(
        reduce_keepdim<Reducer, false>(exp, static_cast<int>(axes[count - 1])), axes);
  }
}
}  // namespace detail

/// Reduces \p src along the dimensions \p axes, which are in increasing order. They stay, with
/// extent 1. 16-bit floats are reduced in float and rounded once, at the end.
/// \throws Error if \p axes are not dimensions of src, or not in order
template <typename Reducer, typename SrcExp, typename DType, int etype, int count>
auto reduce_multi_axes(const Exp<SrcExp, DType, etype> &src, const Shape<count> &axes) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  static_assert(count <= ExpInfo<SrcExp>::kDim, "there are more axes than dimensions");
  for (int i = 0; i < count; ++i) {
    detail::CheckAxis("reduce_multi_axes", axes[i], i == 0 ? 0 : axes[i - 1] + 1,
                      ExpInfo<SrcExp>::kDim - 1);
  }
  using Acc = typename detail::Accumulator<DType>::type;
  if constexpr (::mshadow::detail::IsSame<Acc, DType>::value) {
    return detail::ReduceAxes<count, Reducer>(src.self(), axes);
  } else {
    return tcast<DType>(detail::ReduceAxes<count, Reducer>(tcast<Acc>(src), axes));
  }
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_REDUCE_WITH_AXIS_H_
