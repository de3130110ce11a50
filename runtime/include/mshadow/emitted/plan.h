// SPDX-License-Identifier: Apache-2.0
/// \file plan.h
/// Plan: the object that evaluates an expression or runs a rule. The runtime specialises it for
/// each expression node, emitted code for each rule. Emitted Plans hold operands as PlanViews, as
/// PlanRuns if they are slices of inner dimensions, as PlanRows if indices name their rows, or as
/// views (view.h). Emitted loops go over rows with a RowRange.
#ifndef MSHADOW_PLAN_H_
#define MSHADOW_PLAN_H_

#include "mshadow/base.h"
#include "mshadow/detail/cast.h"
#include "mshadow/detail/row_tree.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// `DType Eval(index_t y, index_t x) const` computes the element in row y and column x. The Plan of
/// an assignable expression also has `DType &REval(index_t y, index_t x)`. The Plan of a generated
/// rule has its operands, its scalars and the bounds of its loops instead: `rows` and `cols`, a
/// ChannelShape or a ColumnShape. If the rule computes each element by itself, its Plan also has
/// `void Map(index_t y, index_t x) const`. Such a rule has no reduction, scan or
/// mat_choose_row_element, no vector for channels, and broadcasts no vector that it computes.
template <typename ExpType, typename DType>
class Plan;

MSHADOW_VERSION_END
}  // namespace expr

/// An operand of a generated Plan. A vector with an element for each column has stride 0, as has a
/// scalar tensor. A vector with an element for each row has stride 1: its element y is *row(y).
template <typename T>
struct PlanView {
  T *dptr;
  int64_t stride;  ///< elements from row to row; int64_t as in TensorArg, whatever index_t is
  MSHADOW_XINLINE T *row(index_t y) const { return dptr + y * stride; }
};

/// An operand that is a slice of an inner dimension. Its rows lie in groups, as those of an
/// InnerPart (launch.h).
template <typename T>
struct PlanRuns {
  T *dptr;
  int64_t stride;  ///< elements from one row of a group to the next
  int64_t inner;   ///< rows of a group; may be 0 if no statement that the launch runs uses it
  int64_t pitch;   ///< elements from the start of one group to that of the next
  MSHADOW_XINLINE T *row(index_t y) const {
    const int64_t index = static_cast<int64_t>(y);
    if (inner <= 1) return dptr + index * pitch;
    const int64_t group = index / inner;
    return dptr + group * pitch + (index - group * inner) * stride;
  }
};

/// An operand that is rows of a matrix, each named by an index.
template <typename T, typename IType>
struct PlanRows {
  T *dptr;
  int64_t stride;      ///< elements from row to row of the matrix
  int64_t rows;        ///< of the matrix
  const IType *index;  ///< an index for each row of the operand
  /// Null if the index is no row. A launch on a CPU has checked that it is one.
  MSHADOW_XINLINE T *row(index_t y) const {
    const int64_t at = ScalarCast<int64_t>(index[y]);
    return 0 <= at && at < rows ? dptr + at * stride : nullptr;
  }
};

/// Elements [begin, end) of a block of rows with \p cols elements each, row by row:
///
///     for (RowRange r(begin, end, cols); !r.done(); r.next())
///       for (index_t x = r.begin(); x < r.end(); ++x) … element (r.y(), x) …
class RowRange {
 public:
  MSHADOW_XINLINE RowRange(index_t begin, index_t end, index_t cols)
      : y_(begin > 0 && cols > 0 ? begin / cols : 0),  // mostly 0: no division
        begin_(begin - y_ * cols),
        left_(end - begin),
        cols_(cols) {}

  MSHADOW_XINLINE bool done() const { return left_ == 0; }
  MSHADOW_XINLINE index_t y() const { return y_; }
  MSHADOW_XINLINE index_t begin() const { return begin_; }
  /// How many elements are left, including those of this row.
  MSHADOW_XINLINE index_t left() const { return left_; }
  MSHADOW_XINLINE index_t end() const { return left_ < cols_ - begin_ ? begin_ + left_ : cols_; }
  MSHADOW_XINLINE void next() {
    left_ -= end() - begin_;  // never below 0: an index_t may be unsigned
    begin_ = 0;
    ++y_;
  }

 private:
  index_t y_;
  index_t begin_;
  index_t left_;
  index_t cols_;
};

}  // namespace mshadow

#endif  // MSHADOW_PLAN_H_
