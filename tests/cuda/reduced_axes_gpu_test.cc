// SPDX-License-Identifier: Apache-2.0
// Axes that are reduced to tensors of the others: a GPU's kernels give the bits of the CPU's, which
// reduced_axes_test.cc of tests/execution compares with the unfused expressions.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include "cpu_and_gpu.h"
#include "cuda_moved_views.h"

namespace {

using namespace mshadow;
using namespace cuda_test;

const Shape<4> kShapes[] = {Shape4(2, 3, 7, 7), Shape4(3, 2, 5, 33), Shape4(2, 70, 3, 1),
                            Shape4(1, 2, 1, 600), Shape4(2, 3, 0, 4)};

template <int dim, typename DType>
using OnCpu = const Tensor<cpu, dim, DType> &;

/// Sums of these depend on the order, unlike those of small integers.
template <int dim, typename DType>
TensorContainer<cpu, dim, DType> Sevenths(const Shape<dim> &shape) {
  auto numbers = Filled<dim, DType>(shape, 1);
  if (shape.Size() > 0) numbers /= DType(7);
  return numbers;
}

/// Reduces each axis.
/// \param out the result without axis \p kept; the others are lost
template <typename xpu, typename DType>
void EachAxis(const Tensor<xpu, 3, DType> &out, int kept, const Shape<3> *shapes,
              const Tensor<xpu, 4, DType> &in) {
  TensorContainer<xpu, 3, DType> others[4];
  Tensor<xpu, 3, DType> results[4];
  const OwnStream<xpu> stream;
  for (int axis = 0; axis < 4; ++axis) {
    others[axis].Resize(shapes[axis], DType(0));
    results[axis] = stream.With(
        axis == kept ? out : static_cast<const Tensor<xpu, 3, DType> &>(others[axis]));
  }
  reduced_axes::EachAxis(results[0], results[1], results[2], results[3], stream.With(in));
}

template <typename DType>
void CompareEachAxis(const Shape<4> &s, int kept) {
  const Shape<3> shapes[] = {Shape3(s[1], s[2], s[3]), Shape3(s[0], s[2], s[3]),
                             Shape3(s[0], s[1], s[3]), Shape3(s[0], s[1], s[2])};
  const auto in = Sevenths<4, DType>(s);
  ExpectSameBits<DType>(
      shapes[kept], [&](auto &out, const auto &x) { EachAxis(out, kept, shapes, x); },
      static_cast<OnCpu<4, DType>>(in));
}

TEST(ReducedAxesOnGpu, EachAxis) {
  for (const Shape<4> &shape : kShapes) {
    for (int axis = 0; axis < 4; ++axis) {
      CompareEachAxis<float>(shape, axis);
      CompareEachAxis<half::half_t>(shape, axis);
    }
  }
}

template <typename xpu>
void TwoOfFive(const Tensor<xpu, 3, float> &out, const Tensor<xpu, 5, float> &in,
               const Tensor<xpu, 3, float> &bias) {
  const OwnStream<xpu> stream;
  reduced_axes::TwoOfFive(stream.With(out), stream.With(in), stream.With(bias));
}

TEST(ReducedAxesOnGpu, TwoOfFive) {
  for (const Shape<4> &s : kShapes) {
    const auto in = Sevenths<5, float>(Shape5(s[0], s[1], 2, s[2], s[3]));
    const auto bias = Sevenths<3, float>(Shape3(s[0], 2, s[3]));
    ExpectSameBits<float>(
        bias.shape_, [](auto &out, const auto &x, const auto &b) { TwoOfFive(out, x, b); },
        static_cast<OnCpu<5, float>>(in), static_cast<OnCpu<3, float>>(bias));
  }
}

}  // namespace
