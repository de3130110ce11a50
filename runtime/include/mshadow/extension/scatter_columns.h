// SPDX-License-Identifier: Apache-2.0
/// \file scatter_columns.h
/// scatter_columns(values, columns, count): rows of zeros with some values, each in a column of its
/// own. mshadow has no such function: kernel.h includes this header, tensor.h does not.
#ifndef MSHADOW_EXTENSION_SCATTER_COLUMNS_H_
#define MSHADOW_EXTENSION_SCATTER_COLUMNS_H_

#include <cstring>
#include <type_traits>

#include "mshadow/extension/index.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// Element (y, columns[y][i]) is values[y][i]; others are 0.
template <typename SrcExp, typename IndexExp, typename DType>
struct ScatterColumnsExp
    : MakeTensorExp<ScatterColumnsExp<SrcExp, IndexExp, DType>, SrcExp, 2, DType> {
  SrcExp src_;
  IndexExp index_;
  index_t places_;  ///< how many values a row has
  ScatterColumnsExp(const SrcExp &src, const IndexExp &index, index_t count)
      : src_(src), index_(index) {
    const Shape<2> values = ShapeCheck<2, SrcExp>::Check(src);
    const Shape<2> columns = ShapeCheck<2, IndexExp>::Check(index);
    if (values != columns) {
      detail::ThrowMisfit("scatter_columns", "expected a column for each value", columns.shape_, 2,
                          values.shape_, 2);
    }
    detail::CheckNotNegative("scatter_columns", "number of columns", count);
    places_ = values[1];
    this->shape_ = Shape2(values[0], count);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, true);
    f(index_, true);
  }
};

template <typename SrcExp, typename IndexExp, typename DType>
class Plan<ScatterColumnsExp<SrcExp, IndexExp, DType>, DType> {
 public:
  explicit Plan(const ScatterColumnsExp<SrcExp, IndexExp, DType> &exp)
      : src_(MakePlan(exp.src_)), index_(MakePlan(exp.index_)), places_(exp.places_) {}

  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    Sum sum = 0;
    for (index_t i = 0; i < places_; ++i) {
      if (ColumnAt(y, i) == static_cast<int64_t>(x)) Add(&sum, y, i);
    }
    return ScalarCast<DType>(sum);
  }

  using Sum = typename detail::Accumulator<DType>::type;
  MSHADOW_XINLINE index_t places() const { return places_; }
  /// The column of value \p i of row \p y.
  MSHADOW_XINLINE int64_t ColumnAt(index_t y, index_t i) const {
    return ScalarCast<int64_t>(index_.Eval(y, i));
  }
  /// Adds value \p i of row \p y to its element.
  MSHADOW_XINLINE void Add(Sum *sum, index_t y, index_t i) const {
    *sum = op::plus::Map(*sum, static_cast<Sum>(src_.Eval(y, i)));
  }

  static constexpr bool kRuns = true;
  /// Zeros and a few values, written to where they belong, without a buffer.
  static constexpr bool kRunsInPlace = true;
  static constexpr index_t kLongestRun = index_t{1} << 20;
  static constexpr int kWindow = 2048;
  void EvalRun(index_t y, index_t x, index_t n, DType *out) const {
    const Plan plan = *this;  // a copy, which no store can change
    std::memset(static_cast<void *>(out), 0, static_cast<size_t>(n) * sizeof(DType));
    for (index_t i = 0; i < places_; ++i) {
      const auto at = static_cast<uint64_t>(plan.ColumnAt(y, i) - static_cast<int64_t>(x));
      if (at >= static_cast<uint64_t>(n)) continue;
      if constexpr (std::is_same_v<Sum, DType>) {
        plan.Add(out + at, y, i);
      } else {
        out[at] = plan.Eval(y, x + static_cast<index_t>(at));  // its sum is rounded once
      }
    }
  }

 private:
  Plan<SrcExp, DType> src_;
  detail::PlanOf<IndexExp> index_;
  index_t places_;
};

/// A matrix of \p count columns. Each value is in its row, in the column that \p columns names; all
/// other elements are 0. Values for one place are added up, the first one first, 16-bit floats in
/// float. A value whose column is not in [0, count) is left out. With the columns that TopK finds
/// it is the gradient of TopK.
/// \throws Error if there is not one column for each value
template <typename SrcExp, typename IndexExp, typename DType, typename IType, int e1, int e2>
ScatterColumnsExp<SrcExp, IndexExp, DType> scatter_columns(const Exp<SrcExp, DType, e1> &values,
                                                           const Exp<IndexExp, IType, e2> &columns,
                                                           index_t count) {
  static_assert(detail::CheckSource<SrcExp, (e1 | e2)>());
  static_assert(ExpInfo<SrcExp>::kDim == 2 && ExpInfo<IndexExp>::kDim == 2,
                "scatter_columns takes a matrix of values and one of columns");
  return {values.self(), columns.self(), count};
}

/// On the device of values and columns, which must be one.
template <typename SrcExp, typename IndexExp, typename DType>
struct ExpInfo<ScatterColumnsExp<SrcExp, IndexExp, DType>> : detail::DevicesOf<SrcExp, IndexExp> {
  static constexpr int kDim = 2;
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_SCATTER_COLUMNS_H_
