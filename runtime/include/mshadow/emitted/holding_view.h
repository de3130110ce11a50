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
template <typename Red, typename Of, typename Grad, typename Pooled, int kAxes, int kColumns,
          int kApart, bool kEdge>
class UnpooledView {
 public:
  using Reducer = Red;
  using Source = StridedView<Of, kAxes, Along::kForwards, kEdge>;
  using Element = typename Source::Element;
  using Sum = Promoted<Element>;
  static constexpr int kWidth = kColumns, kStride = kApart;
  static constexpr bool kHasEdge = kEdge;
  static constexpr bool kIsSum = std::is_same<Red, red::sum>::value;

  struct Row {
    typename Source::Row source;
    typename ViewSource<Pooled>::Position pooled;  ///< the elements for window 0
    typename ViewSource<Grad>::Position gradient;
    int64_t pooled_distance, gradient_distance;  ///< from one row of windows to the next
    int64_t first, end;                          ///< the rows of windows that hold this row
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
  MSHADOW_CINLINE void Rows(const HoldingWindows &windows) { rows_ = windows; }
  MSHADOW_CINLINE void Columns(const HoldingWindows &windows) { columns_ = windows; }

  MSHADOW_XINLINE const HoldingWindows &columns() const { return columns_; }

  MSHADOW_XINLINE Row row(index_t y) const {
    int64_t i[static_cast<size_t>(kAxes)];
    rows_of_kernel_.Split(y, i);
    const int64_t place = rows_.PlaceOf(i);
    return {source.row(y),        pooled.At(i),       gradient.At(i),   pooled.step[kAxes],
            gradient.step[kAxes], rows_.First(place), rows_.End(place), columns_.PlaceOf(i)};
  }
  /// Element \p x of a row.
  MSHADOW_XINLINE Element ElementAt(const Row &row, int64_t x) const {
    const Element of = source.ElementAt(row.source, x);
    const int64_t place = row.place + x, end = columns_.End(place);
    Sum sum = 0;
    for (int64_t p = row.first; p < row.end; ++p) {
      for (int64_t q = columns_.First(place); q < end; ++q) {
        Element result = of;
        if constexpr (!kIsSum) result = pooled.Get(row.pooled + (p * row.pooled_distance + q));
        const Sum weight = static_cast<Sum>(Reducer::PartialGrad(of, result));
        const auto grad =
            static_cast<Sum>(gradient.Get(row.gradient + (p * row.gradient_distance + q)));
        sum = op::plus::Map(sum, op::mul::Map(weight, grad));
      }
    }
    return ScalarCast<Element>(sum);
  }

 private:
  HoldingWindows rows_, columns_;
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
    const int64_t row = CoordinateOf(channel_, i) * y_.size * x_.size;
    const int64_t column = CoordinateOf(image_, i) * y_.patches.count() * x_.patches.count();
    return {elements_ + (row * distance_ + column), y_.patches.PlaceOf(i), x_.patches.PlaceOf(i)};
  }
  MSHADOW_XINLINE int64_t height() const { return y_.size; }
  MSHADOW_XINLINE int64_t width() const { return x_.size; }
  MSHADOW_XINLINE int64_t dilation() const { return x_.dilation; }
  MSHADOW_XINLINE const HoldingWindows &columns() const { return x_.patches; }
  /// The distance in memory between neighbours along x of a patch.
  MSHADOW_XINLINE int64_t distance() const { return distance_; }
  /// Along x, the first of the patches whose row \p dy is this row: its element (dy, 0). Null if
  /// there are none.
  MSHADOW_XINLINE const DType *PatchesAt(const Row &row, int64_t dy) const {
    const int64_t py = y_.patches.At(row.place_y - dy * y_.dilation);
    if (py < 0) return nullptr;
    return row.at + (dy * x_.size * distance_ + py * x_.patches.count());
  }
  /// Element \p x of a row.
  MSHADOW_XINLINE DType ElementAt(const Row &row, int64_t x) const {
    Sum sum = 0;
    for (int64_t dy = 0; dy < y_.size; ++dy) {
      const DType *const patches = PatchesAt(row, dy);
      for (int64_t dx = 0; patches != nullptr && dx < x_.size; ++dx) {
        const int64_t px = x_.patches.At(row.place + x - dx * x_.dilation);
        if (px >= 0) sum = op::plus::Map(sum, static_cast<Sum>(patches[dx * distance_ + px]));
      }
    }
    return ScalarCast<DType>(sum);
  }

 private:
  struct Patches {
    HoldingWindows patches;
    int64_t size = 0, dilation = 1;
  };
  static MSHADOW_XINLINE int64_t CoordinateOf(const AxisIndex &index, const int64_t *i) {
    return index.axis < 0 ? index.offset : index.offset + index.step * i[index.axis];
  }

  const DType *elements_ = nullptr;
  int64_t distance_ = 0;
  AxisIndex channel_ = 0, image_ = 0;
  Patches y_, x_;
  detail::RowSplitter<kAxes> rows_of_kernel_;
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_HOLDING_VIEW_H_
