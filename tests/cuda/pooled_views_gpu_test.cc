// SPDX-License-Identifier: Apache-2.0
// Windows that end with the image or that the launch knows, and sums over the windows that hold an
// element: a GPU's kernels give the bits of the CPU's, which tests/execution/pooled_views_test.cc
// compares with loops over coordinates.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include <vector>

#include "cpu_and_gpu.h"
#include "cuda_pooled_views.h"

namespace {

using namespace mshadow;
using namespace cuda_test;

const std::vector<index_t> kWidths = {1, 5, 16, 33};

template <typename DType>
void CompareLayers() {
  for (const index_t width : kWidths) {
    const index_t pooled_width = width / 2 + 1;  // of which the last may end with the image
    const Shape<3> small = Shape3(2, 3, pooled_width), large = Shape3(2, 5, width);
    const auto in = Filled<3, DType>(large, 1), pooled = Filled<3, DType>(small, 3),
               grad = Filled<3, DType>(small, 2);
    ExpectSameBits<DType>(
        small, [](auto &out, const auto &x) { pooled_views::Pooled(out, x, 3, 3, 2, 2, 1, 1); },
        static_cast<const Tensor<cpu, 3, DType> &>(in));
    ExpectSameBits<DType>(
        large,
        [](auto &out, const auto &x, const auto &p, const auto &g) {
          pooled_views::Unpooled(out, x, p, g, 3, 3, 2, 2, 1, 1);
        },
        static_cast<const Tensor<cpu, 3, DType> &>(in),
        static_cast<const Tensor<cpu, 3, DType> &>(pooled),
        static_cast<const Tensor<cpu, 3, DType> &>(grad));
  }
}

TEST(PooledViewsOnGpu, LayersAndTheirGradients) {
  CompareLayers<float>();
  CompareLayers<half::half_t>();
  CompareLayers<int8_t>();
}

template <typename DType>
void CompareDilated() {
  for (const index_t width : kWidths) {
    const Shape<3> small = Shape3(2, 3, width / 2 + 2), large = Shape3(2, 5, width);
    const auto in = Filled<3, DType>(large, 1), pooled = Filled<3, DType>(small, 3),
               grad = Filled<3, DType>(small, 2);
    ExpectSameBits<DType>(
        small, [](auto &out, const auto &x) { dilated_views::Pooled(out, x, 2, 3, 2, 2, 3, 2, 2); },
        static_cast<const Tensor<cpu, 3, DType> &>(in));
    ExpectSameBits<DType>(
        large,
        [](auto &out, const auto &x, const auto &p, const auto &g) {
          dilated_views::Unpooled(out, x, p, g, 2, 3, 2, 2, 3, 2, 2);
        },
        static_cast<const Tensor<cpu, 3, DType> &>(in),
        static_cast<const Tensor<cpu, 3, DType> &>(pooled),
        static_cast<const Tensor<cpu, 3, DType> &>(grad));
  }
}

TEST(PooledViewsOnGpu, DilatedLayersAndTheirGradients) {
  CompareDilated<float>();
  CompareDilated<half::half_t>();
  CompareDilated<int8_t>();
  const Shape<2> large = Shape2(8, 70), windows = Shape2(2, 69);  // 3 x 2 elements, 3 rows apart
  const auto in = Filled<2, float>(large, 1), pooled = Filled<2, float>(windows, 3),
             grad = Filled<2, float>(windows, 2);
  ExpectSameBits<float>(
      large,
      [](auto &out, const auto &x, const auto &p, const auto &g) {
        dilated_views::ComputedGrad(out, x, p, g);
      },
      static_cast<const Tensor<cpu, 2> &>(in), static_cast<const Tensor<cpu, 2> &>(pooled),
      static_cast<const Tensor<cpu, 2> &>(grad));
}

template <typename DType>
void ComparePacked() {
  for (const index_t width : {3, 9, 18, 40}) {
    const auto columns = Filled<2, DType>(Shape2(2 * 6, 2 * 2 * (width - 2)), 1);
    ExpectSameBits<DType>(
        Shape4(2, 2, 3, width), [](auto &out, const auto &x) { pooled_views::Packed(out, x); },
        static_cast<const Tensor<cpu, 2, DType> &>(columns));
  }
}

TEST(PooledViewsOnGpu, ColumnsAddedUpToImages) {
  ComparePacked<float>();
  ComparePacked<half::half_t>();
  ComparePacked<int8_t>();
  for (const index_t width : kWidths) {  // size 3, stride 2, a border of 1
    const index_t patches = (width + 2 - 3) / 2 + 1;
    const auto columns = Filled<2, float>(Shape2(2 * 9, 3 * patches), 1);
    ExpectSameBits<float>(
        Shape4(1, 2, 5, width),
        [](auto &out, const auto &x) { pooled_views::PackedWithin(out, x, 3, 2, 1); },
        static_cast<const Tensor<cpu, 2, float> &>(columns));
  }
}

}  // namespace
