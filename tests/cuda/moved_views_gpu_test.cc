// SPDX-License-Identifier: Apache-2.0
// Elements at other coordinates, which only the launch knows, and rows of a few elements: a GPU's
// kernels give the bits of the CPU's, which moved_views_test.cc and short_rows_test.cc of
// tests/execution compare with loops over coordinates.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include "cpu_and_gpu.h"
#include "cuda_moved_views.h"

namespace {

using namespace mshadow;
using namespace cuda_test;

constexpr index_t kWidths[] = {1, 5, 16, 33};

template <int dim, typename DType>
using OnCpu = const Tensor<cpu, dim, DType> &;

TEST(MovedViewsOnGpu, ExtentsThatMayBeOne) {
  for (const index_t width : kWidths) {
    for (const auto &shape : {Shape2(1, 1), Shape2(5, 1), Shape2(1, width), Shape2(5, width)}) {
      const auto in = Filled<2, float>(shape, 1);
      ExpectSameBits<float>(
          Shape2(5, width), [](auto &out, const auto &x) { moved_views::Spread(out, x); },
          static_cast<OnCpu<2, float>>(in));
    }
  }
}

TEST(MovedViewsOnGpu, Diagonals) {
  for (const index_t n : kWidths) {
    const auto in = Filled<2, float>(Shape2(n, n), 1);
    ExpectSameBits<float>(
        Shape2(n, n), [](auto &out, const auto &x) { moved_views::Diagonals(out, x); },
        static_cast<OnCpu<2, float>>(in));
    ExpectSameBits<float>(
        Shape1(n), [](auto &out, const auto &x) { moved_views::Diagonal(out, x); },
        static_cast<OnCpu<2, float>>(in));
  }
}

TEST(MovedViewsOnGpu, DiagonalMatrices) {
  for (const index_t n : kWidths) {
    const auto in = Filled<1, float>(Shape1(n), 1);
    const auto m = Filled<2, float>(Shape2(n, n), 2);
    ExpectSameBits<float>(
        Shape2(n, n), [](auto &out, const auto &x) { moved_views::DiagonalMatrix(out, x); },
        static_cast<OnCpu<1, float>>(in));
    ExpectSameBits<float>(
        Shape2(n, n),
        [](auto &out, const auto &x, const auto &y) { moved_views::DiagonalMatrices(out, x, y); },
        static_cast<OnCpu<1, float>>(in), static_cast<OnCpu<2, float>>(m));
  }
}

TEST(MovedViewsOnGpu, DimensionsOfAnyRank) {
  for (const index_t width : kWidths) {
    const auto in = Filled<2, float>(Shape2(3, width), 1);
    ExpectSameBits<float>(
        Shape2(5, width + 4), [](auto &out, const auto &x) { moved_views::Border(out, x); },
        static_cast<OnCpu<2, float>>(in));
    const auto images = Filled<3, half::half_t>(Shape3(2, 3, width), 1);
    ExpectSameBits<half::half_t>(
        Shape3(2, 5, width + 4), [](auto &out, const auto &x) { moved_views::Border(out, x); },
        static_cast<OnCpu<3, half::half_t>>(images));
  }
}

TEST(MovedViewsOnGpu, ImagesOfAnyRank) {
  for (const index_t width : kWidths) {
    const auto in = Filled<3, float>(Shape3(2, 5, width), 1);
    ExpectSameBits<float>(
        Shape3(2, 3, (width + 1) / 2),
        [](auto &out, const auto &x) { moved_views::Halved(out, x); },
        static_cast<OnCpu<3, float>>(in));
    ExpectSameBits<float>(
        Shape3(2, 10, 2 * width), [](auto &out, const auto &x) { moved_views::Doubled(out, x); },
        static_cast<OnCpu<3, float>>(in));
  }
}

TEST(MovedViewsOnGpu, ThreeTensorsJoined) {
  for (const index_t width : kWidths) {
    const auto in = Filled<2, float>(Shape2(2, width), 1),
               other = Filled<2, float>(Shape2(2, width), 3);
    ExpectSameBits<float>(
        Shape2(6, width),
        [](auto &out, const auto &a, const auto &b) { moved_views::Stacked(out, a, b); },
        static_cast<OnCpu<2, float>>(in), static_cast<OnCpu<2, float>>(other));
  }
}

TEST(MovedViewsOnGpu, Neighbours) {
  for (const index_t width : kWidths) {
    const auto in = Filled<2, float>(Shape2(4, width), 1);
    ExpectSameBits<float>(
        Shape2(4, width), [](auto &out, const auto &x) { moved_views::Neighbours(out, x); },
        static_cast<OnCpu<2, float>>(in));
  }
}

TEST(MovedViewsOnGpu, ShortRows) {
  for (const index_t rows : kWidths) {
    const auto pixels = Filled<2, uint8_t>(Shape2(rows, 4), 1);
    ExpectSameBits<uint8_t>(
        Shape2(rows, 3), [](auto &out, const auto &x) { short_rows::Over(out, x); },
        static_cast<OnCpu<2, uint8_t>>(pixels));
    const auto pairs = Filled<2, float>(Shape2(rows, 2), 1);
    ExpectSameBits<float>(
        Shape2(rows, 3), [](auto &out, const auto &x) { short_rows::One(out, x); },
        static_cast<OnCpu<2, float>>(pairs));
  }
}

}  // namespace
