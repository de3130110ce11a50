// SPDX-License-Identifier: Apache-2.0
// Views of views, against loops over coordinates, as indexed_views_test.cc.
#include <gtest/gtest.h>

#include <algorithm>

#include "fenced_tensor.h"
#include "nested_views_rules.h"

namespace {

using mshadow::cpu;
using mshadow::index_t;
using mshadow::Shape;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow::Shape4;
using mshadow::Tensor;
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

template <typename DType>
void CompareAcross() {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<2, DType> in(Shape2(2 * width + 1, 5), layout), out(Shape2(4, width), layout);
    nested_views::Across(out.tensor, in.tensor);
    out.Expect([&](index_t y, index_t x) {
      float sum = 0;
      for (index_t r = y; r < y + 2; ++r) {
        for (index_t c = 2 * x; c < 2 * x + 3; ++c) sum += in.At(c, r);
      }
      return sum;
    });
  });
}

TEST(NestedViews, WindowsOfColumns) {
  CompareAcross<float>();
  CompareAcross<mshadow::half::half_t>();
}

template <typename DType>
void CompareOfJoined() {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<2, DType> a(Shape2(4, width), layout), b(Shape2(4, width), layout);
    const Fenced<2, DType> out(Shape2(3, 2 * width), layout);
    nested_views::OfJoined(out.tensor, a.tensor, b.tensor);
    const auto joined = [&](index_t y, index_t x) {
      return x < width ? a.At(y, x) : b.At(y, 2 * width - 1 - x);
    };
    out.Expect([&](index_t y, index_t x) {
      float top = std::max(joined(y, x), joined(y + 1, x));
      if (x + 1 < 2 * width) top = std::max({top, joined(y, x + 1), joined(y + 1, x + 1)});
      return top;
    });
  });
}

TEST(NestedViews, WindowsOfNeighboursJoined) {
  CompareOfJoined<float>();
  CompareOfJoined<int8_t>();
}

template <typename DType>
void CompareOfComputed(index_t size, index_t stride) {
  EachWidth(1, [&](const Layout &layout, index_t width) {
    const index_t height = 2 * stride + size, columns = (width - 1) * stride + size;
    const Fenced<2, DType> a(Shape2(height, columns), layout), b(a.tensor.shape_, layout);
    const Fenced<2, DType> out(Shape2(3, width), layout);
    nested_views::OfComputed(out.tensor, a.tensor, b.tensor, DType(2), static_cast<int>(size),
                             static_cast<int>(stride));
    out.Expect([&](index_t y, index_t x) {
      float sum = 0;
      for (index_t r = y * stride; r < y * stride + size; ++r) {
        for (index_t c = x * stride; c < x * stride + size; ++c) sum += a.At(r, c) * b.At(r, c) + 2;
      }
      return sum;
    });
  });
}

TEST(NestedViews, WindowsOfWhatIsComputed) {
  for (const index_t stride : {1, 2, 3}) {
    CompareOfComputed<float>(3, stride);
    CompareOfComputed<double>(2, stride);
  }
  CompareOfComputed<float>(60, 1);  // more than are evaluated together
}

TEST(NestedViews, WindowsOfWindows) {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<2, float> in(Shape2(5, width + 1), layout);
    const Fenced<2, float> out(Shape2(3, (width + 2) / 2), layout);
    nested_views::OfWindows(out.tensor, in.tensor);
    out.Expect([&](index_t y, index_t x) {
      const auto sum = [&](index_t p, index_t q) {
        const bool has = 0 <= p && p < 4 && 0 <= q && q < width;
        return has ? in.At(p, q) + in.At(p, q + 1) + in.At(p + 1, q) + in.At(p + 1, q + 1) : 0.0f;
      };
      const index_t p = 2 * y - 1, q = 2 * x - 1;
      return std::max({sum(p, q), sum(p, q + 1), sum(p + 1, q), sum(p + 1, q + 1)});
    });
  });
}

TEST(NestedViews, WindowsOfGatheredRows) {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<2, float> in(Shape2(5, width), layout), out(Shape2(3, width), layout);
    const Fenced<1, int32_t> index(Shape1(4), layout);
    for (index_t i = 0; i < 4; ++i) index.tensor.dptr_[i] = static_cast<int32_t>(3 - i);
    nested_views::OfRows(out.tensor, in.tensor, index.tensor);
    out.Expect([&](index_t y, index_t x) { return in.At(3 - y, x) + in.At(2 - y, x); });
  });
}

TEST(NestedViews, WindowsOfChannels) {
  for (const index_t count : {1, 3, 9, 301}) {
    EachWidth(1, [&](const Layout &layout, index_t width) {
      const Fenced<3, float> a(Shape3(count < 300 ? 9 : 200, 1, width), layout);
      const Fenced<3, float> b(a.tensor.shape_, layout), out(a.tensor.shape_, layout);
      nested_views::OfChannels(out.tensor, a.tensor, b.tensor, static_cast<int>(count));
      out.Expect([&](index_t y, index_t x) {
        float sum = 0;
        for (index_t c = y - count / 2; c <= y + count / 2; ++c) {
          if (0 <= c && c < a.tensor.size(0)) sum += a.At(c, x) - b.At(c, x);
        }
        return sum;
      });
    });
  }
}

template <typename DType>
void CompareShapeOfWindows() {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<2, DType> in(Shape2(5, 2 * width + 1), layout), out(Shape2(8, width), layout);
    nested_views::ShapeOfWindows(out.tensor, in.tensor);
    out.Expect([&](index_t y, index_t x) {
      const index_t n = y * width + x, p = n / (2 * width), q = n % (2 * width);
      return in.At(p, q) + in.At(p, q + 1) + in.At(p + 1, q) + in.At(p + 1, q + 1);
    });
  });
}

TEST(NestedViews, AnotherShapeOfWindows) {
  CompareShapeOfWindows<float>();
  CompareShapeOfWindows<mshadow::half::half_t>();
}

template <typename DType>
void CompareTwiceWindows() {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<2, DType> in(Shape2(3, width + 1), layout), out(Shape2(6, 2 * width), layout);
    nested_views::TwiceWindows(out.tensor, in.tensor);
    out.Expect([&](index_t y, index_t x) {
      return in.At(y / 2, width - x / 2) + in.At(y / 2, width - x / 2 - 1);
    });
  });
}

TEST(NestedViews, WindowsRepeated) {
  CompareTwiceWindows<float>();
  CompareTwiceWindows<mshadow::half::half_t>();
}

TEST(NestedViews, RowsOfWindows) {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<2, float> in(Shape2(5, width), layout), out(Shape2(4, width), layout);
    const Fenced<1, int32_t> index(Shape1(4), layout);
    for (index_t i = 0; i < 4; ++i) index.tensor.dptr_[i] = static_cast<int32_t>(3 - i);
    nested_views::RowsOfWindows(out.tensor, in.tensor, index.tensor);
    out.Expect([&](index_t y, index_t x) { return in.At(3 - y, x) + in.At(4 - y, x); });
  });
}

TEST(NestedViews, PatchesOfWindows) {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<3, float> in(Shape3(2, 2, width + 1), layout);
    const Fenced<2, float> out(Shape2(8, 3 * (width + 1)), layout);
    nested_views::PatchesOfWindows(out.tensor, in.tensor);
    out.Expect([&](index_t y, index_t x) {
      const index_t row = x / (width + 1) + y / 2 % 2 - 1, column = x % (width + 1) + y % 2 - 1;
      if (row < 0 || row >= 2 || column < 0 || column >= width) return 0.0f;
      return in.At(y / 4 * 2 + row, column) + in.At(y / 4 * 2 + row, column + 1);
    });
  });
}

TEST(NestedViews, WindowsOfAnyRank) {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<3, float> a(Shape3(2, 3, width + 1), layout), b(a.tensor.shape_, layout);
    const Fenced<3, float> out(Shape3(2, 6, 2 * width), layout);
    nested_views::AnyWindows(out.tensor, a.tensor, b.tensor);
    out.Expect([&](index_t y, index_t x) {
      const index_t q = width - 1 - x / 2;
      return a.At(y / 2, q) * b.At(y / 2, q) + a.At(y / 2, q + 1) * b.At(y / 2, q + 1);
    });
  });
}

TEST(NestedViews, ChannelsOfAnyRank) {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<4, float> in(Shape4(2, 3, 2, width), layout), out(in.tensor.shape_, layout);
    nested_views::AnyChannels(out.tensor, in.tensor);
    const auto sum = [&](index_t y, index_t x) {
      float sum = in.At(y, x);
      if (y / 2 % 3 > 0) sum += in.At(y - 2, x);
      if (y / 2 % 3 < 2) sum += in.At(y + 2, x);
      return sum;
    };
    out.Expect([&](index_t y, index_t x) { return sum(y, width - 1 - x) + sum(y, x); });
  });
  Tensor<cpu, 2, float> matrix(nullptr, Shape2(0, 0));
  EXPECT_THROW(nested_views::AnyChannels(matrix, matrix), mshadow::Error);
}

template <typename DType>
void CompareGradientOfColumns() {
  EachWidth(1, [](const Layout &layout, index_t width) {
    const Fenced<2, DType> in(Shape2(2 * width, 4), layout), out(Shape2(4, 2 * width), layout);
    const Fenced<2, DType> pooled(Shape2(2, width), layout), grad(pooled.tensor.shape_, layout);
    for (index_t y = 0; y < 2; ++y) {
      for (index_t x = 0; x < width; ++x) {
        pooled.tensor[y][x] = DType(in.At(2 * x + x % 2, 2 * y) - 1);
        grad.tensor[y][x] = DType(static_cast<float>((x + y) % 7));
      }
    }
    nested_views::GradientOfColumns(out.tensor, in.tensor, pooled.tensor, grad.tensor);
    out.Expect([&](index_t y, index_t x) {
      const bool is_top = in.At(x, y) == pooled.At(y / 2, x / 2) + 1;
      return is_top ? grad.At(y / 2, x / 2) * grad.At(y / 2, x / 2) : 0.0f;
    });
  });
}

TEST(NestedViews, GradientsOfColumns) {
  CompareGradientOfColumns<float>();
  CompareGradientOfColumns<mshadow::half::half_t>();
}

TEST(NestedViews, GradientsOfWhatIsBackwards) {
  for (const index_t size : {1, 3, 40}) {
    for (const index_t stride : {1, 2, 4}) {
      EachWidth(1, [&](const Layout &layout, index_t width) {
        const Shape<2> shape = Shape2(2 * stride + size, (width - 1) * stride + size);
        const Fenced<2, float> in(shape, layout), out(shape, layout);
        const Fenced<2, float> grad(Shape2(3, width), layout);
        nested_views::GradientOfSums(out.tensor, in.tensor, grad.tensor, static_cast<int>(size),
                                     static_cast<int>(stride));
        out.Expect([&](index_t y, index_t x) {
          float sum = 0;
          for (index_t p = 0; p < 3; ++p) {
            for (index_t q = 0; q < width; ++q) {
              const bool has_row = p * stride <= y && y < p * stride + size;
              const bool has_column = q * stride <= x && x < q * stride + size;
              if (has_row && has_column) sum += grad.At(p, width - 1 - q);
            }
          }
          return sum;
        });
      });
    }
  }
}

}  // namespace
