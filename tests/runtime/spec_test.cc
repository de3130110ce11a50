// SPDX-License-Identifier: Apache-2.0
// A spec compiled as it stands: the unfused rule is the obvious loop.
#include <mshadow/emitted/fused.h>
#include <mshadow/kernel.h>

#include <cmath>

#include "testing.h"

namespace optim {
using namespace mshadow;        // NOLINT: as specs are written
using namespace mshadow::expr;  // NOLINT

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AdamW(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                          MSHADOW_STATE(0) Tensor<xpu, dim, float> mean,
                          MSHADOW_STATE(0) Tensor<xpu, dim, float> variance,
                          MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                          MSHADOW_HYPER float lr, float beta1 = 0.9f, float beta2 = 0.999f,
                          float eps = 1e-8f, float decay = 0.01f, MSHADOW_STEP int step = 1) {
  const float step_size = lr / (1.0f - math::pow(beta1, step));
  const float inv_bias2 = 1.0f / math::sqrt(1.0f - math::pow(beta2, step));
  auto g = tcast<float>(grad);
  mean = beta1 * mean + (1.0f - beta1) * g;
  variance = beta2 * variance + (1.0f - beta2) * F<op::square>(g);
  weight = tcast<DType>((1.0f - lr * decay) * tcast<float>(weight) -
                        step_size * mean / (F<op::square_root>(variance) * inv_bias2 + eps));
}
MSHADOW_INSTANTIATE(AdamW, float, half::half_t, bfloat::bf16_t);

/// A rule of fixed ranks, with a prologue that reads shapes and a scalar condition.
template <typename xpu, typename A, typename B>
MSHADOW_KERNEL void ScaleRows(Tensor<xpu, 2, A> out, const Tensor<xpu, 1, B> &bias, bool clip) {
  const float scale = 1.0f / static_cast<float>(out.shape_.Size());
  out = tcast<A>(scale * tcast<float>(out) + tcast<float>(repmat(bias, out.size(0))));
  if (clip) {
    out = F<op::clip>(out, 1.0f);
  } else {
    out += 1;
  }
}
MSHADOW_INSTANTIATE(ScaleRows, Types<float, float>, Types<half::half_t, int8_t>);

}  // namespace optim

namespace {
using namespace testing_runtime;

template <typename T>
class Spec : public ::testing::Test {};
using FloatTypes = ::testing::Types<float, half::half_t, bfloat::bf16_t>;
TYPED_TEST_SUITE(Spec, FloatTypes);

TYPED_TEST(Spec, AdamWIsItsLoop) {
  using T = TypeParam;
  const Shape<3> shape = Shape3(2, 3, 37);
  auto weight = Make<T>(shape, 1);
  auto grad = Make<T>(shape, 2, false);
  TensorContainer<cpu, 3> mean(shape, 0.25f), variance(shape, 0.5f, false);
  const TensorContainer<cpu, 3, T> old(weight);
  optim::AdamW<cpu, 3, T>(weight, mean, variance, grad, 0.01f, 0.9f, 0.999f, 1e-8f, 0.1f, 3);
  const float step_size = 0.01f / (1.0f - math::pow(0.9f, 3));
  const float inv_bias2 = 1.0f / math::sqrt(1.0f - math::pow(0.999f, 3));
  ForEach(shape, [&](index_t y, index_t x) {
    const float g = static_cast<float>(At(grad, y, x));
    const float m = 0.9f * 0.25f + (1.0f - 0.9f) * g;
    const float v = 0.999f * 0.5f + (1.0f - 0.999f) * (g * g);
    EXPECT_EQ(At(mean, y, x), m);
    EXPECT_EQ(At(variance, y, x), v);
    const float w = (1.0f - 0.01f * 0.1f) * static_cast<float>(At(old, y, x)) -
                    step_size * m / (std::sqrt(v) * inv_bias2 + 1e-8f);
    EXPECT_EQ(float(At(weight, y, x)), float(T(w)));
  });
}

TEST(SpecScalars, ShapesAndConditions) {
  TensorContainer<cpu, 2, half::half_t> out(Shape2(2, 4), 8);
  TensorContainer<cpu, 1, int8_t> bias(Shape1(4), 2);
  optim::ScaleRows<cpu>(out, bias, false);
  EXPECT_EQ(float(out[1][3]), 4.0f);
  optim::ScaleRows<cpu>(out, bias, true);
  EXPECT_EQ(float(out[1][3]), 1.0f);
}

TEST(SpecOps, AreWhatTheySay) {
  TensorContainer<cpu, 1> a(Shape1(3)), b(Shape1(3), 1.0f), dst(Shape1(3));
  a[0] = -2;
  a[1] = 1;
  a[2] = 4;
  const auto expect = [&](float x, float y, float z) {
    EXPECT_EQ(dst[0], x);
    EXPECT_EQ(dst[1], y);
    EXPECT_EQ(dst[2], z);
  };
  dst = F<op::relu>(a);
  expect(0, 1, 4);
  dst = F<op::abs>(a);
  expect(2, 1, 4);
  dst = F<op::sign>(a * 1 - b);
  expect(-1, 0, 1);
  dst = F<op::reciprocal>(a);
  expect(-0.5f, 1, 0.25f);
  dst = F<op::maximum>(a, b);
  expect(1, 1, 4);
  dst = F<op::minimum>(a, b);
  expect(-2, 1, 1);
  dst = F<op::clip>(a, 1.5);
  expect(-1.5f, 1, 1.5f);
  dst = F<op::lt>(a, b) + 2 * F<op::eq>(a, b) + 4 * F<op::gt>(a, b);
  expect(1, 2, 4);
  dst = F<op::le>(a, 1) + 2 * F<op::ne>(a, 1) + 4 * F<op::ge>(a, 1);
  expect(3, 5, 6);
  dst = F<op::where>(F<op::gt>(a, 0), a, 9);
  expect(9, 1, 4);
  dst = F<op::square_root>(F<op::square>(a));
  expect(2, 1, 4);
}

}  // namespace
