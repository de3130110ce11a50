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

/// Calls `visit(window)` for each window that has an element at a position.
template <typename Visit>
void ForEachWith(const Along &along, index_t count, index_t place, const Visit &visit) {
  for (index_t window = 0; window < count; ++window) {
    const index_t from = place - window * along.stride;
    if (from % along.dilation == 0 && 0 <= from && from < along.Reach()) visit(window);
  }
}

/// The gradient of an element, whose position counts from the border.
/// \param term (window's row, window's column) -> its summand
template <typename Term>
float GradientOf(const Along &y, const Along &x, const Shape<2> &windows, index_t place_y,
                 index_t place_x, const Term &term) {
  int sum = 0;
  ForEachWith(y, windows[0], place_y, [&](index_t p) {
    ForEachWith(x, windows[1], place_x, [&](index_t q) { sum += static_cast<int>(term(p, q)); });
  });
  return static_cast<float>(sum);
}
/// As an element of that type.
template <typename DType>
float Rounded(float sum) {
  return static_cast<float>(static_cast<DType>(static_cast<int>(sum)));
}

template <typename DType>
void CompareGradients(const Layout &layout, const Along &y, const Along &x, index_t width,
                      int border) {
  const index_t height = 6, rows = height + 2 * border, cols = width + 2 * border;
  const Shape<2> windows = Shape2(y.Count(rows), x.Count(cols));
  const Shape<3> shape = Shape3(2, windows[0], windows[1]);
  const Fenced<3, DType> in(Shape3(2, height, width), layout), out(in.tensor.shape_, layout);
  const Fenced<3, DType> pooled(shape, layout), grad(shape, layout);
  dilated_views::Unpooled(out.tensor, in.tensor, pooled.tensor, grad.tensor, y.size, x.size,
                          y.stride, x.stride, y.dilation, x.dilation, border);
  out.Expect([&](index_t row, index_t b) {
    const index_t a = row % height, first = row / height * shape[1];
    const auto term = [&](index_t p, index_t q) {
      return pooled.At(first + p, q) == in.At(row, b) ? grad.At(first + p, q) : 0.0f;
    };
    return Rounded<DType>(GradientOf(y, x, windows, a + border, b + border, term));
  });
}

TEST(Dilated, GradientsOfTheLaunch) {
  Everywhere([](const Layout &layout) {
    for (const Along &x : kAlong) {
      for (const index_t width : {1, 7, 19, 70}) {
        for (const int border : {0, 2}) {
          const Along &y = kAlong[width % 6];
          CompareGradients<float>(layout, y, x, width, border);
          CompareGradients<mshadow::half::half_t>(layout, y, x, width, border);
          CompareGradients<int8_t>(layout, y, x, width, border);
        }
      }
    }
  });
}

/// \param call (out, in, pooled, grad) the rule
/// \param term (element, what was pooled, gradient) -> the summand of a window
template <typename DType, typename Call, typename Term>
void CompareKnownGradient(const Along &y, const Along &x, int border, const Call &call,
                          const Term &term) {
  Everywhere([&](const Layout &layout) {
    for (const index_t width : {9, 16, 33, 70}) {
      const index_t height = 8, rows = height + 2 * border, cols = width + 2 * border;
      const Shape<2> windows = Shape2(y.CountWithin(rows), x.CountWithin(cols));
      const Fenced<2, DType> in(Shape2(height, width), layout), out(in.tensor.shape_, layout);
      const Fenced<2, DType> pooled(windows, layout), grad(windows, layout);
      call(out.tensor, in.tensor, pooled.tensor, grad.tensor);
      out.Expect([&](index_t a, index_t b) {
        const auto of_window = [&](index_t p, index_t q) {
          return term(in.At(a, b), pooled.At(p, q), grad.At(p, q));
        };
        return Rounded<DType>(GradientOf(y, x, windows, a + border, b + border, of_window));
      });
    }
  });
}

TEST(Dilated, GradientsThatTheSpecKnows) {
  const auto sum = [](auto &out, const auto &in, const auto &pooled, const auto &grad) {
    dilated_views::SumGrad(out, in, pooled, grad);
  };
  const auto each = [](float, float, float grad) { return grad; };
  CompareKnownGradient<float>({3, 1, 2}, {3, 1, 3}, 0, sum, each);
  CompareKnownGradient<mshadow::half::half_t>({3, 1, 2}, {3, 1, 3}, 0, sum, each);
  CompareKnownGradient<int8_t>({3, 1, 2}, {3, 1, 3}, 0, sum, each);
  const auto strided = [](auto &out, const auto &in, const auto &pooled, const auto &grad) {
    dilated_views::StridedGrad(out, in, pooled, grad);
  };
  const auto chosen = [](float of, float pooled, float grad) { return of == pooled ? grad : 0; };
  CompareKnownGradient<float>({3, 2, 2}, {2, 4, 6}, 2, strided, chosen);
  CompareKnownGradient<mshadow::half::half_t>({3, 2, 2}, {2, 4, 6}, 2, strided, chosen);
  CompareKnownGradient<int8_t>({3, 2, 2}, {2, 4, 6}, 2, strided, chosen);
  CompareKnownGradient<float>(
      {2, 1, 1}, {3, 5, 2}, 0,
      [](auto &out, const auto &in, const auto &pooled, const auto &grad) {
        dilated_views::FarGrad(out, in, pooled, grad);
      },
      chosen);
  CompareKnownGradient<float>(
      {3, 1, 3}, {2, 1, 1}, 0,
      [](auto &out, const auto &in, const auto &pooled, const auto &grad) {
        dilated_views::ComputedGrad(out, in, pooled, grad);
      },
      [](float of, float pooled, float grad) { return of == pooled + 1 ? 2 * grad : 0; });
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
