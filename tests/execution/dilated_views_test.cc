// SPDX-License-Identifier: Apache-2.0
// Dilated windows and their gradients against loops over coordinates.
#include <algorithm>
#include <functional>
#include <limits>

#include "dilated_views.gen.h"
#include "fenced_tensor.h"

namespace {

using mshadow::Shape2;
using mshadow::Shape3;
using namespace mshadow_test;

/// Windows along a dimension.
struct Along {
  int size, stride, dilation;

  index_t Reach() const { return (size - 1) * dilation + 1; }
  /// How many there are, of which the last may be cut off.
  index_t Count(index_t extent) const {
    return extent <= Reach() ? 1 : (extent - Reach() + stride - 1) / stride + 1;
  }
  /// How many lie within.
  index_t CountWithin(index_t extent) const { return (extent - Reach()) / stride + 1; }
};
constexpr Along kAlong[] = {{3, 1, 2}, {2, 2, 3}, {3, 2, 1}, {1, 3, 4}, {5, 1, 3}, {2, 5, 2}};

/// Calls `visit(y, x)` for each element of window (p, q) that is in an image.
void ForEachOf(const Along &y, const Along &x, index_t p, index_t q, index_t height, index_t width,
               const std::function<void(index_t, index_t)> &visit) {
  for (int i = 0; i < y.size; ++i) {
    for (int j = 0; j < x.size; ++j) {
      const index_t at_y = p * y.stride + i * y.dilation, at_x = q * x.stride + j * x.dilation;
      if (at_y < height && at_x < width) visit(at_y, at_x);
    }
  }
}

template <typename DType>
void ComparePools(const Layout &layout, const Along &y, const Along &x, index_t width, int border) {
  const index_t height = 7, rows = height + 2 * border, cols = width + 2 * border;
  const index_t pooled = y.Count(rows);
  const Fenced<3, DType> in(Shape3(2, height, width), layout);
  const Fenced<3, DType> out(Shape3(2, pooled, x.Count(cols)), layout);
  dilated_views::Pooled(out.tensor, in.tensor, y.size, x.size, y.stride, x.stride, y.dilation,
                        x.dilation, border);
  out.Expect([&](index_t row, index_t q) {
    float top = -1000;
    ForEachOf(y, x, row % pooled, q, rows, cols, [&](index_t i, index_t j) {
      const index_t a = i - border, b = j - border;
      const bool has = 0 <= a && a < height && 0 <= b && b < width;
      top = std::max(top, has ? in.At(row / pooled * height + a, b) : 0.0f);
    });
    const float none = sizeof(DType) == 1 ? -128.0f : -std::numeric_limits<float>::infinity();
    return top > -1000 ? top : none;
  });
}

TEST(Dilated, PoolsOfTheLaunch) {
  Everywhere([](const Layout &layout) {
    for (const Along &x : kAlong) {
      for (const index_t width : {1, 2, 7, 16, 33, 50}) {
        const Along &y = kAlong[width % 6];
        for (const int border : {0, 1, 3}) {
          ComparePools<float>(layout, y, x, width, border);
          ComparePools<mshadow::half::half_t>(layout, y, x, width, border);
          ComparePools<int8_t>(layout, y, x, width, border);
        }
      }
    }
  });
}

void CompareGradients(const Layout &layout, const Along &y, const Along &x, index_t width,
                      int border) {
  const index_t height = 6, rows = height + 2 * border, cols = width + 2 * border;
  const Shape<3> shape = Shape3(2, y.Count(rows), x.Count(cols));
  const Fenced<3, float> in(Shape3(2, height, width), layout), out(in.tensor.shape_, layout);
  const Fenced<3, float> pooled(shape, layout), grad(shape, layout);
  dilated_views::Unpooled(out.tensor, in.tensor, pooled.tensor, grad.tensor, y.size, x.size,
                          y.stride, x.stride, y.dilation, x.dilation, border);
  out.Expect([&](index_t row, index_t b) {
    float sum = 0;
    const index_t a = row % height, first = row / height * shape[1];
    for (index_t p = 0; p < shape[1]; ++p) {
      for (index_t q = 0; q < shape[2]; ++q) {
        ForEachOf(y, x, p, q, rows, cols, [&](index_t i, index_t j) {
          const bool is_top = pooled.At(first + p, q) == in.At(row, b);
          if (i - border == a && j - border == b && is_top) sum += grad.At(first + p, q);
        });
      }
    }
    return sum;
  });
}

TEST(Dilated, GradientsOfTheLaunch) {
  Everywhere([](const Layout &layout) {
    for (const Along &x : kAlong) {
      for (const index_t width : {1, 7, 19}) {
        for (const int border : {0, 2}) {
          CompareGradients(layout, kAlong[width % 6], x, width, border);
        }
      }
    }
  });
}

/// Compares a rule whose windows lie within the image, or a border of `border` zeros around it.
template <typename DType, typename Call, typename Combine>
void CompareKnown(const Along &y, const Along &x, int border, float initial, const Call &call,
                  const Combine &combine) {
  Everywhere([&](const Layout &layout) {
    for (const index_t width : {9, 16, 33, 70}) {
      const index_t height = 8, rows = height + 2 * border, cols = width + 2 * border;
      const Fenced<2, DType> in(Shape2(height, width), layout);
      const Fenced<2, DType> out(Shape2(y.CountWithin(rows), x.CountWithin(cols)), layout);
      call(out.tensor, in.tensor);
      out.Expect([&](index_t p, index_t q) {
        float result = initial;
        ForEachOf(y, x, p, q, rows, cols, [&](index_t i, index_t j) {
          result = combine(result, in.AtOrZero(i - border, j - border));
        });
        return result;
      });
    }
  });
}

TEST(Dilated, PoolsThatTheSpecKnows) {
  const auto within = [](auto &out, const auto &in) { dilated_views::Within(out, in); };
  const auto sum = [](float a, float b) { return a + b; };
  CompareKnown<float>({3, 1, 2}, {3, 1, 3}, 0, 0, within, sum);
  CompareKnown<mshadow::half::half_t>({3, 1, 2}, {3, 1, 3}, 0, 0, within, sum);
  CompareKnown<float>({3, 2, 2}, {3, 2, 2}, 2, 0,
                      [](auto &out, const auto &in) { dilated_views::Strided(out, in); },
                      [](float a, float b) { return a + b * b; });
  CompareKnown<float>({2, 1, 3}, {3, 1, 2}, 0, std::numeric_limits<float>::infinity(),
                      [](auto &out, const auto &in) { dilated_views::Computed(out, in); },
                      [](float a, float b) { return std::min(a, b * b - 3 * b); });
  CompareKnown<float>({2, 1, 1}, {2, 1, 4}, 0, -std::numeric_limits<float>::infinity(),
                      [](auto &out, const auto &in) { dilated_views::AnyRank(out, in); },
                      [](float a, float b) { return std::max(a, b); });
}

TEST(Dilated, WhatDoesNotFit) {
  const Fenced<2, float> in(Shape2(4, 9), kLayouts[0]), out(Shape2(1, 1), kLayouts[0]);
  EXPECT_THROW(dilated_views::Within(out.tensor, in.tensor), mshadow::Error);
  const Fenced<3, float> images(Shape3(1, 4, 9), kLayouts[0]);
  EXPECT_THROW(
      dilated_views::Pooled(images.tensor, images.tensor, 2, 2, 1, 1, 0, 1, 0), mshadow::Error);
}

}  // namespace
