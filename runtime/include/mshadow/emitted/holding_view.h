// SPDX-License-Identifier: Apache-2.0
/// \file holding_view.h
/// Views whose elements are sums over the windows that hold them: unpool, ch_unpool and
/// pack_col2patch. The sum goes over windows along rows (or channels), and for each of them over
/// windows along columns.
#ifndef MSHADOW_HOLDING_VIEW_H_
#define MSHADOW_HOLDING_VIEW_H_

#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "mshadow/detail/divider.h"
#include "mshadow/emitted/launch.h"
#include "mshadow/emitted/strided_view.h"
#include "mshadow/expr/red.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// The windows along a dimension. Window p begins at position p * stride, for 0 <= p < count.
class HoldingWindows {
 public:
  HoldingWindows() {}
  /// \param place the position of an element, in terms of its coordinate along an axis
  /// \param size how many positions a window covers
  MSHADOW_CINLINE HoldingWindows(const AxisIndex &place, int64_t size, int64_t stride,
                                 int64_t count)
      : place_(place), size_(size), count_(count), stride_(static_cast<index_t>(stride)) {}

  MSHADOW_XINLINE int64_t size() const { return size_; }
  MSHADOW_XINLINE int64_t stride() const { return static_cast<int64_t>(stride_.divisor()); }
  MSHADOW_XINLINE int64_t count() const { return count_; }

  /// The position of the element with coordinates \p i.
  MSHADOW_XINLINE int64_t PlaceOf(const int64_t *i) const {
    return place_.axis < 0 ? place_.offset : place_.offset + place_.step * i[place_.axis];
  }
  /// The windows [First(place), End(place)) hold the position \p place, which is at least 0.
  MSHADOW_XINLINE int64_t First(int64_t place) const {
    const int64_t from = place - size_ + stride();
    return from <= 0 ? 0 : Quotient(from);
  }
  MSHADOW_XINLINE int64_t End(int64_t place) const {
    const int64_t end = Quotient(place) + 1;
    return end < count_ ? end : count_;
  }
  /// The window that begins at \p place; -1 if there is none.
  MSHADOW_XINLINE int64_t At(int64_t place) const {
    if (place < 0) return -1;
    const int64_t window = Quotient(place);
    return window * stride() == place && window < count_ ? window : -1;
  }
  /// \p place / stride, rounded down. \p place is at least 0.
  MSHADOW_XINLINE int64_t Quotient(int64_t place) const {
    return static_cast<int64_t>(stride_.Quotient(static_cast<index_t>(place)));
  }

 private:
  AxisIndex place_ = 0;
  int64_t size_ = 1, count_ = 0;
  detail::Divider stride_;
};

namespace detail {

/// Windows of `elements` elements, `dilation` positions apart.
struct DilatedWindows : HoldingWindows {
  int64_t elements = 0, dilation = 1;

  /// The window whose element \p d is at \p place; -1 if there is none.
  MSHADOW_XINLINE int64_t WithElementAt(int64_t place, int64_t d) const {
    return At(place - d * dilation);
  }
};

/// The rows of windows that hold a row of a kernel.
struct HoldingRows {
  int64_t first;  ///< 0 if there are none
  int64_t step;   ///< from one of them to the next
  int64_t count;

  static MSHADOW_XINLINE HoldingRows Of(const HoldingWindows &windows, int64_t place) {
    const int64_t first = windows.First(place), end = windows.End(place);
    return first < end ? HoldingRows{first, 1, end - first} : HoldingRows{0, 1, 0};
  }
  /// In ascending order, as an `unpool` adds them up: the last element of a window comes first.
  static MSHADOW_XINLINE HoldingRows Of(const DilatedWindows &windows, int64_t place) {
    HoldingRows rows = {0, 1, 0};
    for (int64_t d = windows.elements - 1; d >= 0; --d) {
      const int64_t row = windows.WithElementAt(place, d);
      if (row < 0) continue;
      if (rows.count == 0) rows.first = row;
      if (rows.count == 1) rows.step = row - rows.first;  // the same between all of them
      ++rows.count;
    }
    return rows;
  }
};

/// Splits a kernel's row into coordinates.
template <int kAxes>
class RowSplitter {
 public:
  /// \param extents the extents of axes 1 to kAxes - 2
  MSHADOW_CINLINE void Over(std::initializer_list<int64_t> extents) {
    for (size_t i = 0; i < extents.size(); ++i) {
      extent_[i] = Divider(static_cast<index_t>(extents.begin()[i]));
    }
  }
  /// Sets \p i to the coordinates of row \p y. The one along the last axis is 0.
  MSHADOW_XINLINE void Split(index_t y, int64_t *i) const {
    for (int a = kAxes - 2; a > 0; --a) i[a] = static_cast<int64_t>(extent_[a - 1].Split(&y));
    if (kAxes > 1) i[0] = static_cast<int64_t>(y);
    i[kAxes - 1] = 0;
  }

 private:
  static constexpr size_t kDividers = kAxes > 2 ? kAxes - 2 : 1;
  Divider extent_[kDividers];
};

/// A tensor or another view, with an element for each window. Windows along rows are axis kAxes;
/// those along columns follow each other.
/// \tparam T the type of the tensor's elements, or ElementsOf<View>
template <typename T, int kAxes>
struct WindowTensor : ViewSource<T> {
  int64_t offset = 0;
  int64_t step[static_cast<size_t>(kAxes + 2)] = {};

  MSHADOW_CINLINE void Set(const typename ViewSource<T>::Shape &of,
                           std::initializer_list<AxisIndex> indices) {
    this->SetSource(of);
    offset = 0;
    for (int64_t &each : step) each = 0;
    int after = static_cast<int>(indices.size());
    for (const AxisIndex &index : indices) {
      const int64_t distance = of.StepFromLast(--after);
      offset += index.offset * distance;
      if (index.axis >= 0) step[index.axis] += index.step * distance;
    }
  }
  /// The first window of the row with coordinates \p i.
  MSHADOW_XINLINE typename ViewSource<T>::Position At(const int64_t *i) const {
    int64_t at = offset;
    for (int a = 0; a < kAxes - 1; ++a) at += i[a] * step[a];
    return this->origin() + at;
  }
};

}  // namespace detail

/// The gradient of a pool.
/// \tparam Red the reducer of the pool: mshadow::red::sum and so on
/// \tparam Of, Grad, Pooled of what was pooled, of the gradients and of the results: the type of
///     the tensor's elements, or ElementsOf<View>. A sum does not read the results
/// \tparam kAxes how many axes the kernel has
/// \tparam kColumns the width of a window; 0 if only the launch knows it
/// \tparam kApart the distance between neighbouring windows of a row; 0 if only the launch knows it
/// \tparam kEdge whether some elements of the source lie outside the tensor; these are 0
/// \tparam kDilated whether rows or columns of a window may be apart
template <typename Red, typename Of, typename Grad, typename Pooled, int kAxes, int kColumns,
          int kApart, bool kEdge, bool kDilated = false>
class UnpooledView {
 public:
  using Reducer = Red;
  using Source = StridedView<Of, kAxes, Along::kForwards, kEdge>;
  using Element = typename Source::Element;
  using Sum = Promoted<Element>;
  using Windows = std::conditional_t<kDilated, detail::DilatedWindows, HoldingWindows>;
  static constexpr int kWidth = kColumns, kStride = kApart;
  static constexpr bool kHasEdge = kEdge;
  static constexpr bool kIsDilated = kDilated;
  static constexpr bool kIsSum = std::is_same<Red, red::sum>::value;

  struct Row {
    typename Source::Row source;
    /// The elements for window 0 in the first of the rows of windows that hold this row.
    typename ViewSource<Pooled>::Position pooled;
    typename ViewSource<Grad>::Position gradient;
    int64_t pooled_distance, gradient_distance;  ///< from one of these rows to the next
    int64_t rows;                                ///< how many there are
    int64_t place;                               ///< the position of element 0 along the row
  };

  Source source;  ///< what was pooled
  /// The results of the pool, and their gradients. Axes kAxes and kAxes + 1 of the indices are
  /// those of the windows.
  detail::WindowTensor<Pooled, kAxes> pooled;
  detail::WindowTensor<Grad, kAxes> gradient;

  MSHADOW_CINLINE void Over(std::initializer_list<int64_t> extents) {
    source.Over(extents);
    rows_of_kernel_.Over(extents);
  }
  MSHADOW_CINLINE void Rows(const Windows &windows) { rows_ = windows; }
  MSHADOW_CINLINE void Columns(const Windows &windows) { columns_ = windows; }

  MSHADOW_XINLINE const Windows &columns() const { return columns_; }

  MSHADOW_XINLINE Row row(index_t y) const {
    int64_t i[static_cast<size_t>(kAxes)];
    rows_of_kernel_.Split(y, i);
    const auto rows = detail::HoldingRows::Of(rows_, rows_.PlaceOf(i));
    const int64_t to_pooled = pooled.step[kAxes], to_gradient = gradient.step[kAxes];
    return {source.row(y),
            pooled.At(i) + rows.first * to_pooled,
            gradient.At(i) + rows.first * to_gradient,
            rows.step * to_pooled,
            rows.step * to_gradient,
            rows.count,
            columns_.PlaceOf(i)};
  }
  /// Element \p x of a row.
  MSHADOW_XINLINE Element ElementAt(const Row &row, int64_t x) const {
    const Element of = source.ElementAt(row.source, x);
    const int64_t place = row.place + x;
    Sum sum = 0;
    for (int64_t r = 0; r < row.rows; ++r) {
      if constexpr (kDilated) {
        for (int64_t d = columns_.elements - 1; d >= 0; --d) {
          const int64_t q = columns_.WithElementAt(place, d);
          if (q >= 0) Add(row, r, q, of, &sum);
        }
      } else {
        const int64_t end = columns_.End(place);
        for (int64_t q = columns_.First(place); q < end; ++q) Add(row, r, q, of, &sum);
      }
    }
    return ScalarCast<Element>(sum);
  }

 private:
  /// Adds the term of window \p q in row \p r of those that hold the row.
  MSHADOW_XINLINE void Add(const Row &row, int64_t r, int64_t q, const Element &of,
                           Sum *sum) const {
    Element result = of;
    if constexpr (!kIsSum) result = pooled.Get(row.pooled + (r * row.pooled_distance + q));
    const Sum weight = static_cast<Sum>(Reducer::PartialGrad(of, result));
    const auto grad =
        static_cast<Sum>(gradient.Get(row.gradient + (r * row.gradient_distance + q)));
    *sum = op::plus::Map(*sum, op::mul::Map(weight, grad));
  }

  Windows rows_, columns_;
  detail::RowSplitter<kAxes> rows_of_kernel_;
};

/// Columns of a matrix added up to images: element (dy, dx) of patch (py, px) of a channel is in
/// row (channel, dy, dx) and column (image, py, px).
/// \tparam kAxes how many axes the kernel has
/// \tparam kApart the distance between neighbouring patches of a row; 0 if only the launch knows it
template <typename DType, int kAxes, int kApart>
class PackedView {
 public:
  using Element = DType;
  using Sum = Promoted<DType>;
  static constexpr int kStride = kApart;

  struct Row {
    const DType *at;  ///< element (0, 0) of patch (0, 0) of the channel
    int64_t place_y;  ///< the position of the row along y
    int64_t place;    ///< the position of element 0 along x
  };

  /// \param channel, image the coordinates of an element, in terms of the kernel's axes
  MSHADOW_CINLINE void Set(const TensorArg<DType> &matrix, const AxisIndex &channel,
                           const AxisIndex &image) {
    elements_ = matrix.dptr;
    distance_ = matrix.stride;
    channel_ = channel;
    image_ = image;
  }
  /// Patches of \p size elements along y, \p dilation apart.
  MSHADOW_CINLINE void Rows(const HoldingWindows &patches, int64_t size, int64_t dilation) {
    y_ = {patches, size, dilation};
  }
  MSHADOW_CINLINE void Columns(const HoldingWindows &patches, int64_t size, int64_t dilation) {
    x_ = {patches, size, dilation};
  }
  MSHADOW_CINLINE void Over(std::initializer_list<int64_t> extents) {
    rows_of_kernel_.Over(extents);
  }

  MSHADOW_XINLINE Row row(index_t y) const {
    int64_t i[static_cast<size_t>(kAxes)];
    rows_of_kernel_.Split(y, i);
    const int64_t row = CoordinateOf(channel_, i) * y_.elements * x_.elements;
    const int64_t column = CoordinateOf(image_, i) * y_.count() * x_.count();
    return {elements_ + (row * distance_ + column), y_.PlaceOf(i), x_.PlaceOf(i)};
  }
  MSHADOW_XINLINE int64_t height() const { return y_.elements; }
  MSHADOW_XINLINE int64_t width() const { return x_.elements; }
  MSHADOW_XINLINE int64_t dilation() const { return x_.dilation; }
  MSHADOW_XINLINE const HoldingWindows &columns() const { return x_; }
  /// The distance in memory between neighbours along x of a patch.
  MSHADOW_XINLINE int64_t distance() const { return distance_; }
  /// Along x, the first of the patches whose row \p dy is this row: its element (dy, 0). Null if
  /// there are none.
  MSHADOW_XINLINE const DType *PatchesAt(const Row &row, int64_t dy) const {
    const int64_t py = y_.WithElementAt(row.place_y, dy);
    if (py < 0) return nullptr;
    return row.at + (dy * x_.elements * distance_ + py * x_.count());
  }
  /// Element \p x of a row.
  MSHADOW_XINLINE DType ElementAt(const Row &row, int64_t x) const {
    Sum sum = 0;
    for (int64_t dy = 0; dy < y_.elements; ++dy) {
      const DType *const patches = PatchesAt(row, dy);
      for (int64_t dx = 0; patches != nullptr && dx < x_.elements; ++dx) {
        const int64_t px = x_.WithElementAt(row.place + x, dx);
        if (px >= 0) sum = op::plus::Map(sum, static_cast<Sum>(patches[dx * distance_ + px]));
      }
    }
    return ScalarCast<DType>(sum);
  }

 private:
  static MSHADOW_XINLINE int64_t CoordinateOf(const AxisIndex &index, const int64_t *i) {
    return index.axis < 0 ? index.offset : index.offset + index.step * i[index.axis];
  }

  const DType *elements_ = nullptr;
  int64_t distance_ = 0;
  AxisIndex channel_ = 0, image_ = 0;
  detail::DilatedWindows y_, x_;
  detail::RowSplitter<kAxes> rows_of_kernel_;
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_HOLDING_VIEW_H_
