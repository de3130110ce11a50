// SPDX-License-Identifier: Apache-2.0
// Windows that end with the image or that the launch knows, and sums over the windows that hold an
// element: a GPU's kernels give the bits of the CPU's, which tests/execution/pooled_views_test.cc
// compares with loops over coordinates.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include <cstring>
#include <vector>

#include "cuda_pooled_views.h"

namespace {

using namespace mshadow;

/// Small numbers, many of them equal.
template <int dim, typename DType>
TensorContainer<cpu, dim, DType> Filled(const Shape<dim> &shape, int first) {
  TensorContainer<cpu, dim, DType> tensor(shape);
  const Tensor<cpu, 2, DType> rows = tensor.FlatTo2D();
  for (index_t y = 0; y < rows.size(0); ++y) {
    for (index_t x = 0; x < rows.size(1); ++x) {
      rows[y][x] = DType(static_cast<float>((first + 5 * y + 3 * x + x / 7) % 7));
    }
  }
  return tensor;
}

/// A copy of it on a device.
template <typename xpu, int dim, typename DType>
TensorContainer<xpu, dim, DType> On(const Tensor<cpu, dim, DType> &tensor) {
  TensorContainer<xpu, dim, DType> copy(tensor.shape_);
  Copy(copy, tensor);
  return copy;
}

/// What `rule(out, in...)` writes on a device.
template <typename xpu, int dim, typename DType, typename Rule, typename... In>
std::vector<float> Result(const Shape<dim> &shape, const Rule &rule, const In &...in) {
  TensorContainer<cpu, dim, DType> host = Filled<dim, DType>(shape, 3);
  TensorContainer<xpu, dim, DType> out = On<xpu>(static_cast<Tensor<cpu, dim, DType> &>(host));
  rule(out, On<xpu>(in)...);
  Copy(host, out);
  std::vector<float> result;
  const Tensor<cpu, 2, DType> rows = host.FlatTo2D();
  for (index_t y = 0; y < rows.size(0); ++y) {
    for (index_t x = 0; x < rows.size(1); ++x) result.push_back(static_cast<float>(rows[y][x]));
  }
  return result;
}

template <typename DType, int dim, typename Rule, typename... In>
void ExpectSameBits(const Shape<dim> &shape, const Rule &rule, const In &...in) {
  const auto on_cpu = Result<cpu, dim, DType>(shape, rule, in...);
  const auto on_gpu = Result<gpu, dim, DType>(shape, rule, in...);
  ASSERT_EQ(on_cpu.size(), on_gpu.size());
  EXPECT_EQ(std::memcmp(on_cpu.data(), on_gpu.data(), on_cpu.size() * sizeof(float)), 0)
      << "a row of " << shape[dim - 1];
}

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
