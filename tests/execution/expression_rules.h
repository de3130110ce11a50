// SPDX-License-Identifier: Apache-2.0
// Expressions that are generated, and a rule that is made of some.
#ifndef TESTS_EXECUTION_EXPRESSION_RULES_H_
#define TESTS_EXECUTION_EXPRESSION_RULES_H_

#include <mshadow/kernel.h>

namespace expressions {
using namespace mshadow;
using namespace mshadow::expr;

/// x sigmoid(beta x), rounded once.
template <typename X>
MSHADOW_EXPRESSION auto Swish(const X &x, float beta = 1.0f) {
  using DType = ElementOf<X>;
  auto wide = tcast<Promoted<DType>>(x);
  return tcast<DType>(wide * F<op::sigmoid>(beta * wide));
}
MSHADOW_INSTANTIATE_EXPRESSION(Swish, float, double, half::half_t, bfloat::bf16_t);

/// Huber's loss, or the smooth L1 loss.
template <typename A, typename B>
MSHADOW_EXPRESSION auto Huber(const A &a, const B &b, float delta, bool scaled) {
  auto d = a - b;
  auto limited = F<op::minimum>(F<op::maximum>(d, -delta), delta);
  auto loss = limited * (d - 0.5f * limited);
  return scaled ? loss * (1.0f / delta) : loss * 1.0f;
}
MSHADOW_INSTANTIATE_EXPRESSION(Huber, float, double);

/// Operands of two element types; a scalar that is computed once.
template <typename Q, typename S>
MSHADOW_EXPRESSION auto Dequantize(const Q &q, const S &scale, float power) {
  const float factor = math::exp(power);
  return factor * (tcast<float>(q) * scale);
}
MSHADOW_INSTANTIATE_EXPRESSION(Dequantize, Types<int8_t, float>);

/// Whether a and b differ by less than tolerance.
template <typename A, typename B>
MSHADOW_EXPRESSION auto Near(const A &a, const B &b, float tolerance) {
  return tcast<bool>(F<op::abs>(a - b) < tolerance);
}
MSHADOW_INSTANTIATE_EXPRESSION(Near, float);

/// The first operand, which has names that emitted code would like, is not read.
template <typename A, typename B>
MSHADOW_EXPRESSION auto Second(const A &result, const B &plan) {
  static_cast<void>(result);
  return -plan;
}
MSHADOW_INSTANTIATE_EXPRESSION(Second, float, int32_t);

/// What all four are, of what is computed: one kernel.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Mixture(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &a,
                            const Tensor<xpu, dim, DType> &b, float delta) {
  auto loss = Huber(a * 2.0f, Second(a, b), delta, false);
  out = where(Near(a, b, delta), Swish(loss), Swish(b - loss, delta));
}
MSHADOW_INSTANTIATE(Mixture, float);

/// Added to what is there.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void MixtureOf(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &a,
                              const Tensor<xpu, dim, DType> &b, float delta) {
  out += Huber(a * 2.0f, Swish(b), delta, true);
}
MSHADOW_INSTANTIATE(MixtureOf, float, double);

// Constants of the element type, each instance's own, of which other instances' types hold others.
struct TenthOf {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return T(a + T(0.5f) * T(0.1f)) * -T(0.3f);
  }
};
struct LargeOf {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return a == T(-1) ? T(0) : a > T(70.5f) ? T(1) : a;
  }
};
struct ClipOf {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return a > b ? b : a < -b ? -b : a;
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void TypedConstants(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &a,
                                   const Tensor<xpu, dim, DType> &b) {
  out = F<op::maximum>(a, 0.5f);
  out += F<LargeOf>(F<ClipOf>(b, 99.5f)) + F<TenthOf>(a);
  out = where(1e-3f == -a, out, F<ClipOf>(out - a, 0.1));
}
MSHADOW_INSTANTIATE(TypedConstants, float, uint8_t, double, int8_t, half::half_t);

/// Products in float with a constant that was rounded to the element type.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void RoundedConstants(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &a,
                                     const Tensor<xpu, dim, DType> &b) {
  out = tcast<DType>(tcast<float>(a) * DType(0.1f));
  out = where(b > -1.0f, out, tcast<DType>(tcast<float>(out) + DType(0.3)));
}
MSHADOW_INSTANTIATE(RoundedConstants, float, half::half_t, bfloat::bf16_t, int32_t, int8_t);

/// Truth values: products, sums and comparisons compute in int.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void TruthValues(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &a,
                                const Tensor<xpu, dim, DType> &b) {
  out += a * b;
  out = where(out > a, F<op::maximum>(a, b), out - b);
  out *= a == b;
}
MSHADOW_INSTANTIATE(TruthValues, bool);
}  // namespace expressions

#endif  // TESTS_EXECUTION_EXPRESSION_RULES_H_
