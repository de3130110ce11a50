// SPDX-License-Identifier: Apache-2.0
/// \file functional.h
/// Activations and losses as expressions, for use within larger ones: `out = mask * gelu(x + y)`.
/// 16-bit operands are computed in float, and the result is rounded once.
#ifndef SPECS_FUNCTIONAL_FUNCTIONAL_H_
#define SPECS_FUNCTIONAL_FUNCTIONAL_H_

#include "../activation/ops.h"

namespace functional {
using namespace mshadow;
using namespace mshadow::expr;

/// x Phi(x), Phi the normal distribution, by erf. Hendrycks & Gimpel 2016.
/// \param x input
template <typename X>
MSHADOW_EXPRESSION auto gelu(const X &x) {
  using DType = ElementOf<X>;
  return tcast<DType>(F<activation::gelu>(tcast<Promoted<DType>>(x)));
}
MSHADOW_INSTANTIATE_EXPRESSION(gelu, float, double, half::half_t, bfloat::bf16_t);

/// gelu with Phi(x) approximated by (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.
/// \param x input
template <typename X>
MSHADOW_EXPRESSION auto gelu_tanh(const X &x) {
  using DType = ElementOf<X>;
  return tcast<DType>(F<activation::gelu_tanh>(tcast<Promoted<DType>>(x)));
}
MSHADOW_INSTANTIATE_EXPRESSION(gelu_tanh, float, double, half::half_t, bfloat::bf16_t);

/// x sigmoid(x). Hendrycks & Gimpel 2016; Elfwing, Uchibe & Doya 2018.
/// \param x input
template <typename X>
MSHADOW_EXPRESSION auto silu(const X &x) {
  using DType = ElementOf<X>;
  return tcast<DType>(F<activation::silu>(tcast<Promoted<DType>>(x)));
}
MSHADOW_INSTANTIATE_EXPRESSION(silu, float, double, half::half_t, bfloat::bf16_t);

/// Huber's loss of d = a - b: d^2 / 2 where abs(d) <= delta, else delta (abs(d) - delta / 2).
/// Huber 1964; with delta 1 the smooth L1 loss of Girshick 2015.
/// \param a prediction
/// \param b target
/// \param delta where the parabola ends, positive
template <typename A, typename B>
MSHADOW_EXPRESSION auto huber(const A &a, const B &b, double delta = 1.0) {
  using DType = ElementOf<A>;
  auto d = tcast<Promoted<DType>>(a) - tcast<Promoted<DType>>(b);
  auto limited = F<op::minimum>(F<op::maximum>(d, -delta), delta);
  return tcast<DType>(limited * (d - 0.5f * limited));
}
MSHADOW_INSTANTIATE_EXPRESSION(huber, float, double, half::half_t, bfloat::bf16_t);

/// Its derivative by a: d, limited to [-delta, delta].
/// \param a prediction
/// \param b target
/// \param delta where the parabola ends, positive
template <typename A, typename B>
MSHADOW_EXPRESSION auto huber_grad(const A &a, const B &b, double delta = 1.0) {
  using DType = ElementOf<A>;
  auto d = tcast<Promoted<DType>>(a) - tcast<Promoted<DType>>(b);
  return tcast<DType>(F<op::minimum>(F<op::maximum>(d, -delta), delta));
}
MSHADOW_INSTANTIATE_EXPRESSION(huber_grad, float, double, half::half_t, bfloat::bf16_t);
}  // namespace functional

#endif  // SPECS_FUNCTIONAL_FUNCTIONAL_H_
