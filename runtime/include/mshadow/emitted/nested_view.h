// SPDX-License-Identifier: Apache-2.0
/// \file nested_view.h
/// Views whose elements are those of another view, at other coordinates: a `mirror` of a `pool`, a
/// `pad` of a `take`, a slice of a `reshape`.
#ifndef MSHADOW_NESTED_VIEW_H_
#define MSHADOW_NESTED_VIEW_H_

#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "mshadow/detail/cast.h"
#include "mshadow/detail/divider.h"
#include "mshadow/emitted/counted_view.h"
#include "mshadow/emitted/strided_view.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

namespace detail {
template <typename View>
struct IsCounted : std::false_type {};
template <typename DType, int kAxes, Along kAlong, int kBounds, int kTimes>
struct IsCounted<CountedView<DType, kAxes, kAlong, kBounds, kTimes>> : std::true_type {};
}  // namespace detail

/// How a kernel of kAxes axes reads another view.
/// \tparam InnerView the other view, a kernel of which would have its shape
/// \tparam kDirection how the elements of a row of the kernel lie in the other view
/// \tparam kEdge whether some elements of the kernel lie outside the other view; these read 0
template <typename InnerView, int kAxes, Along kDirection, bool kEdge>
class NestedView : public StridedAxes<kAxes> {
 public:
  using Inner = InnerView;
  using Element = typename Inner::Element;
  static constexpr Along kAlong = kDirection;
  static constexpr bool kHasEdge = kEdge;

  /// Element x of a row is element `at` + x * step of the other view, in row-major order, for begin
  /// <= x < end; others are 0.
  using Row = typename StridedAxes<kAxes>::Place;

  /// \param shape the extents of the other view
  /// \param indices the coordinate along each of its dimensions
  MSHADOW_CINLINE void Set(std::initializer_list<int64_t> shape,
                           std::initializer_list<AxisIndex> indices) {
    this->Clear();
    int64_t distance = 1;
    for (auto d = static_cast<int>(shape.size()) - 1; d >= 0; --d) {
      this->Add(indices.begin()[d], distance);
      distance *= shape.begin()[d];
    }
    columns_ = detail::Divider(static_cast<index_t>(shape.end()[-1]));
  }

  MSHADOW_XINLINE Row row(index_t y) const { return this->PlaceOf(y); }
  /// How many columns the other view has.
  MSHADOW_XINLINE index_t columns() const { return columns_.divisor(); }
  /// Splits the number of an element of the other view: into that of its row and its column there,
  /// which is returned.
  MSHADOW_XINLINE int64_t Split(int64_t n, index_t *y) const {
    *y = static_cast<index_t>(n);
    return static_cast<int64_t>(columns_.Split(y));
  }
  /// Element \p x of a row.
  MSHADOW_XINLINE Element ElementAt(const Row &row, int64_t x) const {
    if (kHasEdge && (x < row.begin || x >= row.end)) return ScalarCast<Element>(0);
    const int64_t n = row.at + x * row.step;
    if constexpr (detail::IsCounted<Inner>::value) {
      return inner.At(n / Inner::kTimes);
    } else {
      index_t y = 0;
      const int64_t column = Split(n, &y);
      return inner.ElementAt(inner.row(y), column);
    }
  }

  Inner inner;

 private:
  detail::Divider columns_;
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_NESTED_VIEW_H_
