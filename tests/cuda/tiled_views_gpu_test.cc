// SPDX-License-Identifier: Apache-2.0
// Kernels that read across the rows of a tensor: a GPU, which has no tiles, gives the bits of the
// CPU, which tiled_views_test.cc of tests/execution compares with loops over coordinates.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include "cpu_and_gpu.h"
#include "cuda_moved_views.h"

namespace {

using namespace mshadow;
using namespace cuda_test;

TEST(TiledViewsOnGpu, OfMatrices) {
  for (const index_t rows : {1, 9, 40}) {
    for (const index_t cols : {1, 17, 130}) {
      const Shape<2> shape = Shape2(rows, cols), across = Shape2(cols, rows);
      const auto a = Filled<2, float>(across, 1), b = Filled<2, float>(across, 2);
      ExpectSameBits<float>(
          shape, [](auto &out, const auto &x) { tiled_views::Transpose(out, x); }, a);
      ExpectSameBits<float>(
          shape,
          [](auto &out, const auto &x, const auto &y) {
            out = 1.0f;
            tiled_views::Combine(out, x, y);
          },
          a, b);
    }
  }
}

TEST(TiledViewsOnGpu, OfImages) {
  const auto planes = Filled<3, float>(Shape3(3, 20, 9), 1);
  ExpectSameBits<float>(
      Shape3(3, 9, 20), [](auto &out, const auto &x) { tiled_views::Planes(out, x); }, planes);
  const auto pixels = Filled<4, float>(Shape4(2, 5, 7, 40), 2);
  ExpectSameBits<float>(
      Shape4(2, 40, 5, 7), [](auto &out, const auto &x) { tiled_views::Channels(out, x); }, pixels);
}

/// Kernels that reduce rows.
TEST(TiledViewsOnGpu, OfRows) {
  for (const index_t rows : {1, 9, 40}) {
    for (const index_t cols : {1, 17, 130}) {
      const Shape<2> shape = Shape2(rows, cols), across = Shape2(cols, rows);
      const auto a = Filled<2, float>(across, 1), b = Filled<2, float>(shape, 2);
      ExpectSameBits<float>(
          shape, [](auto &out, const auto &x) { banded_rows::Softmax(out, x); }, a);
      ExpectSameBits<float>(
          Shape1(rows),
          [](auto &out, const auto &x, const auto &y) { banded_rows::Dots(out, x, y, x); }, a, b);
    }
  }
}

}  // namespace
