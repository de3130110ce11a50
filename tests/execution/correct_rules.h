// SPDX-License-Identifier: Apache-2.0
/// \file correct_rules.h
/// What --numerics=correct rounds correctly: functions of one argument, of two, of a sine beside a
/// cosine, and of a scalar, which is computed before the loop.
#ifndef MSHADOW_TESTS_EXECUTION_CORRECT_RULES_H_
#define MSHADOW_TESTS_EXECUTION_CORRECT_RULES_H_

#include <mshadow/expr/op_extra.h>
#include <mshadow/kernel.h>

namespace correct_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// e^x, log(x), tanh(x) and acos(x).
template <typename xpu, typename DType>
MSHADOW_KERNEL void Curves(Tensor<xpu, 2, DType> power, Tensor<xpu, 2, DType> logarithm,
                           Tensor<xpu, 2, DType> tangent, Tensor<xpu, 2, DType> angle,
                           const Tensor<xpu, 2, DType> &x) {
  power = F<op::exp>(x);
  logarithm = F<op::log>(x);
  tangent = F<op::tanh>(x);
  angle = F<op::acos>(x);
}
MSHADOW_INSTANTIATE(Curves, float, double);

/// sin(x), cos(x) and 1 / sqrt(x).
template <typename xpu, typename DType>
MSHADOW_KERNEL void Angles(Tensor<xpu, 2, DType> sine, Tensor<xpu, 2, DType> cosine,
                           Tensor<xpu, 2, DType> inverse, const Tensor<xpu, 2, DType> &x) {
  sine = F<op::sin>(x);
  cosine = F<op::cos>(x);
  inverse = F<op::reciprocal_square_root>(x);
}
MSHADOW_INSTANTIATE(Angles, float, double);

/// x^y, the angle and the length of (x, y).
template <typename xpu, typename DType>
MSHADOW_KERNEL void Pairs(Tensor<xpu, 2, DType> power, Tensor<xpu, 2, DType> angle,
                          Tensor<xpu, 2, DType> length, const Tensor<xpu, 2, DType> &x,
                          const Tensor<xpu, 2, DType> &y) {
  power = F<op::power>(x, y);
  angle = F<op::atan2>(x, y);
  length = F<op::hypot>(x, y);
}
MSHADOW_INSTANTIATE(Pairs, float, double);

/// x acos(s).
template <typename xpu, typename DType>
MSHADOW_KERNEL void ByScalar(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &x, float s) {
  out = x * F<op::acos>(scalar<DType>(s));
}
MSHADOW_INSTANTIATE(ByScalar, float, double);
}  // namespace correct_rules

#endif  // MSHADOW_TESTS_EXECUTION_CORRECT_RULES_H_
