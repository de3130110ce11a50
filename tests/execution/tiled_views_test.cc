// SPDX-License-Identifier: Apache-2.0
// Kernels that read across the rows of a tensor: against loops over coordinates, as
// indexed_views_test.cc, in shapes that are a tile, parts of one, and several.
#include <gtest/gtest.h>

#include "fenced_tensor.h"
#include "tiled_views_rules.h"

namespace {

using mshadow::index_t;
using mshadow::Shape;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow_test::Everywhere;
using mshadow_test::Fenced;
using mshadow_test::Layout;

/// Tiles have 8 to 64 rows, by the size of an element, and 128 columns. Rows of up to 64 elements
/// are joined.
constexpr index_t kShapes[][2] = {{0, 5},    {5, 0},    {1, 130},  {8, 1},    {9, 2},     {15, 33},
                                  {16, 16},  {40, 7},   {33, 128}, {64, 129}, {100, 260}, {3001, 1},
                                  {2001, 2}, {1500, 3}, {1025, 5}, {300, 64}, {200, 65}};

/// A result as an element holds it.
template <typename DType>
float Stored(float value) {
  return static_cast<float>(DType(value));
}

/// Calls test(layout, rows, cols).
template <typename Test>
void InAllShapes(const Test &test) {
  Everywhere([&](const Layout &layout) {
    for (const auto &shape : kShapes) test(layout, shape[0], shape[1]);
  });
}

template <typename DType>
void CompareTranspose(const Layout &layout, index_t rows, index_t cols) {
  const Fenced<2, DType> out(Shape2(rows, cols), layout), in(Shape2(cols, rows), layout);
  tiled_views::Transpose(out.tensor, in.tensor);
  out.Expect([&](index_t y, index_t x) { return in.At(x, y); });
}
template <typename DType>
void CompareTransposes() {
  InAllShapes(CompareTranspose<DType>);
}

TEST(TiledViews, Transposes) {
  CompareTransposes<float>();
  CompareTransposes<double>();
  CompareTransposes<mshadow::half::half_t>();
  CompareTransposes<int8_t>();
}

/// A thread has a part of a row, or of the rows of a tile.
TEST(TiledViews, BySeveralThreads) {
  CompareTranspose<float>(mshadow_test::kLayouts[2], 701, 303);
  CompareTranspose<float>(mshadow_test::kLayouts[0], 5, 40001);
  CompareTranspose<float>(mshadow_test::kLayouts[0], 70001, 3);
}

template <typename DType>
void CompareCombinations() {
  InAllShapes([](const Layout &layout, index_t rows, index_t cols) {
    const Shape<2> shape = Shape2(rows, cols), across = Shape2(cols, rows);
    const Fenced<2, DType> out(shape, layout), before(shape, layout);
    const Fenced<2, DType> a(across, layout), b(across, layout);
    tiled_views::Combine(out.tensor, a.tensor, b.tensor);
    out.Expect([&](index_t y, index_t x) {
      return before.At(y, x) + (a.At(x, y) * 2.0f - b.At(x, y) + static_cast<float>(y));
    });
  });
}

TEST(TiledViews, OfTwoMatrices) {
  CompareCombinations<float>();
  CompareCombinations<double>();
}

template <typename DType>
void ComparePlanes() {
  Everywhere([](const Layout &layout) {
    for (const index_t rows : {1, 3, 7, 16, 20, 65}) {
      for (const index_t cols : {1, 7, 16, 131}) {
        const Fenced<3, DType> out(Shape3(5, rows, cols), layout);
        const Fenced<3, DType> in(Shape3(5, cols, rows), layout);
        tiled_views::Planes(out.tensor, in.tensor);
        out.Expect([&](index_t y, index_t x) {
          return Stored<DType>(in.At(y / rows * cols + x, y % rows) + 1);
        });
      }
    }
  });
}

TEST(TiledViews, OfPlanes) {
  ComparePlanes<float>();
  ComparePlanes<uint8_t>();
}

template <typename DType>
void CompareChannels() {
  Everywhere([](const Layout &layout) {
    for (const index_t channels : {1, 3, 8, 16, 40, 130}) {
      for (const index_t rows : {0, 1, 2, 9}) {
        for (const index_t cols : {1, 5, 130}) {
          const Fenced<4, DType> out(mshadow::Shape4(3, channels, rows, cols), layout);
          const Fenced<4, DType> in(mshadow::Shape4(3, rows, cols, channels), layout);
          tiled_views::Channels(out.tensor, in.tensor);
          out.Expect([&](index_t y, index_t x) {
            const index_t plane = y / rows, image = plane / channels;
            return in.At((image * rows + y % rows) * cols + x, plane % channels);
          });
        }
      }
    }
  });
}

TEST(TiledViews, OfImages) {
  CompareChannels<float>();
  CompareChannels<uint8_t>();
}

template <typename DType>
void ComparePixels() {
  Everywhere([](const Layout &layout) {
    for (const index_t channels : {1, 2, 3, 5, 16, 64, 65}) {
      for (const index_t rows : {0, 9}) {
        for (const index_t cols : {1, 5, 130}) {
          const Shape<4> shape = mshadow::Shape4(3, rows, cols, channels);
          const Fenced<4, DType> out(shape, layout), before(shape, layout);
          const Fenced<4, DType> in(mshadow::Shape4(3, channels, rows, cols), layout);
          tiled_views::Pixels(out.tensor, in.tensor);
          out.Expect([&](index_t y, index_t x) {
            const index_t row = y / cols, image = row / rows;
            const index_t in_row = (image * channels + x) * rows + row % rows;
            return Stored<DType>(before.At(y, x) + in.At(in_row, y % cols));
          });
        }
      }
    }
  });
}

template <typename DType>
void CompareTwoImages() {
  Everywhere([](const Layout &layout) {
    Layout other = layout;
    other.gap = layout.gap == 0 ? 3 : 0;
    for (const index_t channels : {3, 40, 130}) {
      for (const index_t cols : {5, 33}) {
        const index_t rows = 7;
        const auto planes = mshadow::Shape4(2, channels, rows, cols);
        const Fenced<4, DType> out(mshadow::Shape4(2, rows, cols, channels), layout);
        const Fenced<4, DType> even(planes, layout), uneven(planes, other);
        const auto at = [&](const Fenced<4, DType> &in, index_t y, index_t x) {
          const index_t row = y / cols;
          return in.At((row / rows * channels + x) * rows + row % rows, y % cols);
        };
        tiled_views::TwoImages(out.tensor, even.tensor, uneven.tensor);
        out.Expect([&](index_t y, index_t x) { return at(even, y, x) - at(uneven, y, x); });
        tiled_views::TwoImages(out.tensor, uneven.tensor, even.tensor);
        out.Expect([&](index_t y, index_t x) { return at(uneven, y, x) - at(even, y, x); });
      }
    }
  });
}

TEST(TiledViews, OfTwoImages) {
  CompareTwoImages<float>();
  CompareTwoImages<double>();
}

TEST(TiledViews, OfPixels) {
  ComparePixels<float>();
  ComparePixels<double>();
  ComparePixels<mshadow::half::half_t>();
  ComparePixels<uint8_t>();
}

template <typename DType>
void ComparePadded() {
  InAllShapes([](const Layout &layout, index_t rows, index_t cols) {
    const Shape<2> shape = Shape2(rows + 4, cols + 4);
    const Fenced<2, DType> out(shape, layout), before(shape, layout);
    const Fenced<2, DType> in(Shape2(cols, rows), layout);
    tiled_views::Padded(out.tensor, in.tensor);
    out.Expect([&](index_t y, index_t x) {
      return Stored<DType>(before.At(y, x) + in.AtOrZero(x - 2, y - 2));
    });
  });
}

TEST(TiledViews, WithZerosAround) {
  ComparePadded<float>();
  ComparePadded<mshadow::half::half_t>();
}

template <typename DType>
void CompareInner() {
  InAllShapes([](const Layout &layout, index_t rows, index_t cols) {
    if (rows == 0 || cols == 0) return;
    const Fenced<2, DType> out(Shape2(rows, cols), layout), in(Shape2(cols + 2, rows + 4), layout);
    tiled_views::Inner(out.tensor, in.tensor);
    out.Expect([&](index_t y, index_t x) { return in.At(x + 1, y + 3); });
  });
}

TEST(TiledViews, OfParts) {
  CompareInner<float>();
  CompareInner<double>();
}

TEST(TiledViews, UnderConditions) {
  InAllShapes([](const Layout &layout, index_t rows, index_t cols) {
    const Fenced<2, float> out(Shape2(rows, cols), layout), before(Shape2(rows, cols), layout);
    const Fenced<2, float> in(Shape2(cols, rows), layout);
    tiled_views::Perhaps(out.tensor, in.tensor, true);
    tiled_views::Perhaps(out.tensor, in.tensor, false);
    out.Expect([&](index_t y, index_t x) { return (before.At(y, x) + in.At(x, y)) * 2.0f; });
  });
}

}  // namespace
