// SPDX-License-Identifier: Apache-2.0
// Views of views, against loops over coordinates, as indexed_views_test.cc.
#include <gtest/gtest.h>

#include <algorithm>

#include "fenced_tensor.h"
#include "nested_views_rules.h"

namespace {

using mshadow::index_t;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow_test::Everywhere;
using mshadow_test::Fenced;
using mshadow_test::kWidths;
using mshadow_test::Layout;

/// Calls `test(layout, width)` everywhere, for widths of \p least or more.
template <typename Test>
void EachWidth(index_t least, const Test &test) {
  Everywhere([&](const Layout &layout) {
    for (const index_t width : kWidths) {
      if (width >= least) test(layout, width);
    }
  });
}

template <typename DType>
void CompareWindows() {
  EachWidth(2, [](const Layout &layout, index_t width) {
    const Fenced<2, DType> in(Shape2(4, width), layout), out(Shape2(5, width + 3), layout);
    nested_views::Windows(out.tensor, in.tensor);
    out.Expect([&](index_t y, index_t column) {
      const index_t p = y - 1, q = width + 2 - column - 2;
      if (p < 0 || p >= 3 || q < 0 || q >= width - 1) return 0.0f;
      return std::max({in.At(p, q), in.At(p, q + 1), in.At(p + 1, q), in.At(p + 1, q + 1)});
    });
  });
}

TEST(NestedViews, WindowsWithinABorderBackwards) {
  CompareWindows<float>();
  CompareWindows<mshadow::half::half_t>();
  CompareWindows<int8_t>();
}

template <typename DType>
void CompareRows() {
  EachWidth(1, [](const Layout &layout, index_t width) {
    for (const index_t count : {index_t{0}, index_t{3}}) {
      const Fenced<2, DType> in(Shape2(5, width), layout);
      const Fenced<2, DType> out(Shape2(count + 2, width + 2), layout);
      const Fenced<1, int32_t> index(Shape1(count), layout);  // row n + 1
      nested_views::Rows(out.tensor, in.tensor, index.tensor);
      out.Expect([&](index_t y, index_t x) {
        const index_t n = y - 1;
        const bool is_inside = 0 <= n && n < count && 0 < x && x <= width;
        return (is_inside ? in.At(n + 1, x - 1) : 0.0f) - 1;
      });
    }
  });
}

TEST(NestedViews, GatheredRowsWithinABorder) {
  CompareRows<float>();
  CompareRows<int8_t>();
}

TEST(NestedViews, ColumnsOfWindows) {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<2, float> in(Shape2(17, width), layout), out(Shape2(width, 17), layout);
    nested_views::Columns(out.tensor, in.tensor);
    out.Expect([&](index_t y, index_t x) { return in.At(x, y) + in.At(16 - x, y); });
  });
}

template <typename DType>
void CompareTwice() {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<3, DType> in(Shape3(2, 3, width), layout);
    const Fenced<3, DType> out(Shape3(2, 6, 2 * width), layout);
    nested_views::Twice(out.tensor, in.tensor);
    out.Expect([&](index_t y, index_t x) { return in.At(y / 2, (2 * width - 1 - x) / 2); });
  });
}

TEST(NestedViews, RepeatedBackwards) {
  CompareTwice<float>();
  CompareTwice<mshadow::half::half_t>();
}

template <typename DType>
void CompareShaped() {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<1, DType> in(Shape1(5 * (width + 1)), layout);
    const Fenced<2, DType> out(Shape2(3, width), layout);
    nested_views::Shaped(out.tensor, in.tensor);
    out.Expect([&](index_t y, index_t x) { return in.At(0, (y + 1) * (width + 1) + x + 1); });
  });
}

TEST(NestedViews, SomeOfAnotherShape) {
  CompareShaped<float>();
  CompareShaped<double>();
}

TEST(NestedViews, GradientWithinABorder) {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<2, float> in(Shape2(3, width), layout), out(Shape2(7, width + 6), layout);
    nested_views::Gradient(out.tensor, in.tensor);
    out.Expect([&](index_t y, index_t x) { return 2 * in.AtOrZero(y - 2, x - 3); });
  });
}

/// Calls `test(layout, repeat, step)` everywhere, where step(i) is element i of a range.
template <typename DType, typename Test>
void EachRange(const Test &test) {
  const auto step = [](index_t i) {
    return static_cast<float>(mshadow::ScalarCast<DType>(2.5 - 0.75 * static_cast<double>(i)));
  };
  for (const int repeat : {1, 3, 8, 25}) {
    Everywhere([&](const Layout &layout) { test(layout, repeat, step); });
  }
}

template <typename DType>
void CompareSteps() {
  EachRange<DType>([](const Layout &layout, index_t count, const auto &step) {
    const Fenced<1, DType> out(Shape1(count), layout);
    nested_views::Steps(out.tensor, 2.5, 2.5 - 0.75 * static_cast<double>(count), -0.75);
    out.Expect([&](index_t, index_t x) {
      return static_cast<float>(DType(DType(step(count - 1 - x)) + DType(1)));
    });
  });
}

template <typename DType>
void CompareBands() {
  EachRange<DType>([](const Layout &layout, int repeat, const auto &step) {
    const index_t count = 4 * repeat;
    const Fenced<2, DType> out(Shape2(4, count + 2), layout);
    nested_views::Bands(out.tensor, 2.5, 2.5 - 0.75 * static_cast<double>(count), -0.75, repeat);
    out.Expect([&](index_t y, index_t x) {
      const index_t i = x - 1;
      if (y == 0 || y == 3 || i < 0 || i >= count) return 0.0f;
      const auto band = static_cast<float>((count - 1 - i) / repeat);
      return static_cast<float>(DType(DType(step(i)) + DType(band)));
    });
  });
}

TEST(NestedViews, Ranges) {
  CompareSteps<float>();
  CompareSteps<double>();
  CompareSteps<int32_t>();
  CompareSteps<mshadow::half::half_t>();
  CompareBands<float>();
  CompareBands<int32_t>();
  CompareBands<mshadow::half::half_t>();
}

}  // namespace
