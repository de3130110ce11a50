// SPDX-License-Identifier: Apache-2.0
/// \file windowed_view.h
/// Views that reduce windows: pool and chpool. The axes of a window are counted after
/// those of the kernel: axis kAxes goes over the rows of a window (for chpool, over its channels),
/// axis kAxes + 1 over its columns.
#ifndef MSHADOW_WINDOWED_VIEW_H_
#define MSHADOW_WINDOWED_VIEW_H_

#include <cstdint>
#include <initializer_list>

#include "mshadow/detail/divider.h"
#include "mshadow/emitted/launch.h"
#include "mshadow/emitted/strided_view.h"
#include "mshadow/expr/red.h"
#include "mshadow/extension/pairwise_tree.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// A tensor or another view, whose windows a kernel reduces. Each element of this view is one
/// window, reduced row by row, one element after the other.
/// \tparam Red mshadow::red::sum and so on
/// \tparam T the type of the tensor's elements, or ElementsOf<View>
/// \tparam kAxes how many axes the kernel has
/// \tparam kRows, kColumns the height and width of a window; 0 if known only at the launch
/// \tparam kApart the distance in elements between the windows of neighbours in a row; 0 if only
///     the launch knows it
/// \tparam kEdge whether some columns of windows lie outside the tensor; their elements are 0, or
///     are left out
/// \tparam kOfSquares whether each element is squared before it is reduced
/// \tparam kDilation the distance between neighbours in a row of a window; 0 if only the launch
///     knows it
template <typename Red, typename T, int kAxes, int kRows, int kColumns, int kApart, bool kEdge,
          bool kOfSquares = false, int kDilation = 1>
class WindowedView : public ViewSource<T> {
 public:
  using Reducer = Red;
  using Element = typename ViewSource<T>::Element;
  using Sum = typename expr::detail::Accumulator<Element>::type;
  /// The same of a tensor.
  using InMemory =
      WindowedView<Red, Element, kAxes, kRows, kColumns, kApart, kEdge, kOfSquares, kDilation>;
  static constexpr int kRowsKnown = kRows, kColumnsKnown = kColumns;
  static constexpr int kStride = kApart;
  static constexpr int kGap = kDilation;
  static constexpr bool kHasEdge = kEdge;
  static constexpr bool kSquares = kOfSquares;

  /// The windows of one row of the kernel. Element (r, i) of the window of element x is at `at` +
  /// x * stride + c + r * distance, where c is i * gap, or 0 if it is outside the tensor.
  struct Row {
    typename ViewSource<T>::Position at;
    int64_t distance;
    int64_t first, last;      ///< a window consists of its rows [first, last)
    int64_t inside, outside;  ///< row r is in the tensor if inside <= r < outside
    int64_t begin, end;       ///< column c is in the tensor if begin <= x * stride + c < end
    int64_t stop;             ///< windows have no columns c with x * stride + c >= stop
  };

  /// \param of, indices as those of StridedView::Set, but each index has up to two axes. The
  ///     columns of windows lie along the last dimension of the source
  MSHADOW_CINLINE void Set(const typename ViewSource<T>::Shape &of,
                           std::initializer_list<AxisSum> indices) {
    this->SetSource(of);
    where_ = Place();
    int after = static_cast<int>(indices.size());
    for (const AxisSum &index : indices) where_.Add(index, of.StepFromLast(--after));
    rows_ = left_ = Bound();
    begin_ = INT64_MIN / 2;
    end_ = stop_ = INT64_MAX / 2;
  }
  /// Says which elements of windows are in the tensor: those with 0 <= index < extent. Others are
  /// 0.
  MSHADOW_CINLINE void Within(const AxisSum &index, int64_t extent) {
    if (IsOfColumns(index)) {
      begin_ = -index.offset();
      end_ = extent - index.offset();
    } else {
      rows_ = Bound(index, extent);
    }
  }
  /// Says that windows have only elements with 0 <= index < extent. For columns, no index may be
  /// negative.
  MSHADOW_CINLINE void OnlyWithin(const AxisSum &index, int64_t extent) {
    if (IsOfColumns(index)) {
      stop_ = extent - index.offset();
    } else {
      left_ = Bound(index, extent);
    }
  }
  /// Sets the extents of axes 1 to kAxes - 2. With them, row(y) splits y into a coordinate for each
  /// axis but the last.
  MSHADOW_CINLINE void Over(std::initializer_list<int64_t> extents) {
    for (size_t i = 0; i < extents.size(); ++i) {
      extent_[i] = detail::Divider(static_cast<index_t>(extents.begin()[i]));
    }
  }
  /// Sets the extents of a window.
  MSHADOW_CINLINE void Window(int64_t height, int64_t width) {
    height_ = height;
    width_ = width;
  }

  MSHADOW_XINLINE int64_t height() const { return kRows > 0 ? kRows : height_; }
  MSHADOW_XINLINE int64_t width() const { return kColumns > 0 ? kColumns : width_; }
  MSHADOW_XINLINE int64_t stride() const { return kStride > 0 ? kStride : where_.step[kAxes - 1]; }
  MSHADOW_XINLINE int64_t gap() const { return kGap > 0 ? kGap : where_.step[kAxes + 1]; }

  MSHADOW_XINLINE Row row(index_t y) const {
    int64_t i[static_cast<size_t>(kAxes)] = {};
    for (int a = kAxes - 2; a > 0; --a) i[a] = static_cast<int64_t>(extent_[a - 1].Split(&y));
    if (kAxes > 1) i[0] = static_cast<int64_t>(y);
    Row row = {
        this->origin() + where_.At(i), where_.step[kAxes], 0, height(), 0, 0, begin_, end_, stop_};
    left_.Rows(i, height(), &row.first, &row.last);
    rows_.Rows(i, height(), &row.inside, &row.outside);
    return row;
  }
  /// Element \p x of a row.
  MSHADOW_XINLINE Element ElementAt(const Row &row, int64_t x) const {
    Sum sum;
    Reducer::SetInitValue(sum);
    for (int64_t r = row.first; r < row.last; ++r) {
      const bool is_row = row.inside <= r && r < row.outside;
      for (int64_t column = 0; column < width(); ++column) {
        const int64_t at = x * stride() + column * gap();
        if (kHasEdge && at >= row.stop) break;
        const bool has = is_row && (!kHasEdge || (row.begin <= at && at < row.end));
        const Element element = has ? this->Get(row.at + r * row.distance + at) : Element(0.0f);
        Reducer::Reduce(sum, static_cast<Sum>(kSquares ? op::mul::Map(element, element) : element));
      }
    }
    return ScalarCast<Element>(sum);
  }

 private:
  /// A constant plus multiples of the coordinates along the axes of the kernel and of the window.
  struct Place {
    int64_t step[static_cast<size_t>(kAxes + 2)] = {};
    int64_t offset = 0;

    MSHADOW_CINLINE void Add(const AxisSum &sum, int64_t factor) {
      offset += sum.offset() * factor;
      for (const AxisIndex *index : {&sum.first, &sum.second}) {
        if (index->axis >= 0) step[index->axis] += index->step * factor;
      }
    }
    /// The sum for the first element of the window of element 0 of a row.
    /// \param i the row's coordinates along the other axes
    MSHADOW_XINLINE int64_t At(const int64_t *i) const {
      int64_t at = offset;
      for (int a = 0; a < kAxes - 1; ++a) at += i[a] * step[a];
      return at;
    }
  };
  /// The condition 0 <= index < extent. From one row of a window to the next, the index does not
  /// fall.
  struct Bound {
    Place index;
    int64_t extent = 1;

    Bound() = default;
    MSHADOW_CINLINE Bound(const AxisSum &sum, int64_t extent_of_index) : extent(extent_of_index) {
      index.Add(sum, 1);
    }
    /// Finds the rows [begin, end) of a window for which the condition holds.
    /// \param i the coordinates of a row of the kernel
    MSHADOW_XINLINE void Rows(const int64_t *i, int64_t height, int64_t *begin,
                              int64_t *end) const {
      const int64_t first = index.At(i);
      if (index.step[kAxes] == 0) {
        *begin = 0;
        *end = 0 <= first && first < extent ? height : 0;
        return;
      }
      *begin = first < 0 ? RowsTo(-first) : 0;
      const int64_t rows = first < extent ? RowsTo(extent - first) : 0;
      *end = rows < height ? rows : height;
    }
    /// The rows before the index has grown by \p distance.
    MSHADOW_XINLINE int64_t RowsTo(int64_t distance) const {
      const int64_t step = index.step[kAxes];
      return kGap == 1 && step == 1 ? distance : (distance + step - 1) / step;
    }
  };
  static MSHADOW_CINLINE bool IsOfColumns(const AxisSum &index) {
    return index.first.axis == kAxes - 1 || index.second.axis == kAxes - 1;
  }
  static constexpr size_t kDividers = kAxes > 2 ? kAxes - 2 : 1;

  Place where_;
  Bound rows_, left_;
  int64_t begin_ = 0, end_ = 0, stop_ = 0;
  int64_t height_ = 0, width_ = 0;
  detail::Divider extent_[kDividers];
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_WINDOWED_VIEW_H_
