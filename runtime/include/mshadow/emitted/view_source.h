// SPDX-License-Identifier: Apache-2.0
/// \file view_source.h
/// Where a view finds its elements: in a tensor, or in another view, as a `mirror` of a `pool`, a
/// `pad` of a `take` or a `pool` of a `transpose` does.
#ifndef MSHADOW_VIEW_SOURCE_H_
#define MSHADOW_VIEW_SOURCE_H_

#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "mshadow/detail/divider.h"
#include "mshadow/emitted/launch.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// Stands for the elements of another view, where a view of a tensor has their type.
template <typename InnerView>
struct ElementsOf {};

/// The extents of another view.
class InnerShape {
 public:
  MSHADOW_CINLINE InnerShape(std::initializer_list<int64_t> extents) : extents_(extents) {}

  MSHADOW_CINLINE int64_t cols() const { return extents_.end()[-1]; }
  /// As TensorArg::StepFromLast: elements are counted in row-major order.
  MSHADOW_CINLINE int64_t StepFromLast(int count) const {
    int64_t step = 1;
    for (int i = 1; i <= count; ++i) step *= extents_.end()[-i];
    return step;
  }

 private:
  std::initializer_list<int64_t> extents_;
};

namespace detail {
/// Whether a view counts its elements (counted_view.h).
template <typename View, typename = void>
constexpr bool kIsCounted = false;
template <typename View>
constexpr bool kIsCounted<View, std::void_t<decltype(View::kTimes)>> = true;
/// Whether a kernel evaluates the Plan of a view (view.h).
template <typename View, typename = void>
constexpr bool kIsEvaluated = false;
template <typename View>
constexpr bool kIsEvaluated<View, std::void_t<typename View::Plan>> = true;
}  // namespace detail

/// A tensor, as the source of a view's elements.
template <typename DType>
class ViewSource {
 public:
  using Element = DType;
  using Shape = TensorArg<DType>;
  /// Where an element is: that of element n is origin() + n. Get returns the element.
  using Position = const DType *;
  static constexpr bool kIsView = false;

  static MSHADOW_XINLINE DType Get(Position at) { return *at; }

 protected:
  MSHADOW_CINLINE void SetSource(const Shape &tensor) { elements_ = tensor.dptr; }
  MSHADOW_XINLINE Position origin() const { return elements_; }

 private:
  const DType *elements_ = nullptr;
};

/// Another view, as the source of a view's elements, which have numbers in row-major order.
template <typename InnerView>
class ViewSource<ElementsOf<InnerView>> {
 public:
  using Inner = InnerView;
  using Element = typename Inner::Element;
  using Shape = InnerShape;
  using Position = int64_t;
  static constexpr bool kIsView = true;

  MSHADOW_XINLINE Element Get(Position n) const {
    if constexpr (detail::kIsCounted<Inner>) {
      return inner.At(n / Inner::kTimes);
    } else {
      index_t y = 0;
      const int64_t column = Split(n, &y);
      return inner.ElementAt(inner.row(y), column);
    }
  }
  /// How many columns the other view has.
  MSHADOW_XINLINE index_t columns() const { return columns_.divisor(); }
  /// Splits the number of an element into that of its row and its column, which is returned.
  MSHADOW_XINLINE int64_t Split(int64_t n, index_t *y) const {
    *y = static_cast<index_t>(n);
    return static_cast<int64_t>(columns_.Split(y));
  }

  Inner inner;

 protected:
  MSHADOW_CINLINE void SetSource(const Shape &shape) {
    columns_ = detail::Divider(static_cast<index_t>(shape.cols()));
  }
  MSHADOW_XINLINE Position origin() const { return 0; }

 private:
  detail::Divider columns_;
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_VIEW_SOURCE_H_
