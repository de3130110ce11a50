// SPDX-License-Identifier: Apache-2.0
/// \file approximate_rules.h
/// What --numerics=fast approximates, each alone and all beside each other, in every float type.
#ifndef MSHADOW_TESTS_EXECUTION_APPROXIMATE_RULES_H_
#define MSHADOW_TESTS_EXECUTION_APPROXIMATE_RULES_H_

#include <mshadow/expr/op_extra.h>
#include <mshadow/kernel.h>

namespace approximate_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// x / y.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Quotient(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &x,
                             const Tensor<xpu, dim, DType> &y) {
  out = x / y;
}
MSHADOW_INSTANTIATE(Quotient, float, double, half::half_t, bfloat::bf16_t);

/// x / s and s / y.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ByScalar(Tensor<xpu, dim, DType> x, Tensor<xpu, dim, DType> y, float s) {
  x = x / s;
  y = s / y;
}
MSHADOW_INSTANTIATE(ByScalar, float, double, half::half_t);

/// 1 / y.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Reciprocal(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &y) {
  out = 1.0f / y;
}
MSHADOW_INSTANTIATE(Reciprocal, float, double, half::half_t);

/// x / sqrt(y).
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ByRoot(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &x,
                           const Tensor<xpu, dim, DType> &y) {
  out = x / F<op::square_root>(y);
}
MSHADOW_INSTANTIATE(ByRoot, float, double, half::half_t);

/// x / (sqrt(y) + eps).
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ByRootAndMore(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &x,
                                  const Tensor<xpu, dim, DType> &y, float eps) {
  out = x / (F<op::square_root>(y) + eps);
}
MSHADOW_INSTANTIATE(ByRootAndMore, float, double, half::half_t);

/// sqrt(y).
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Root(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &y) {
  out = F<op::square_root>(y);
}
MSHADOW_INSTANTIATE(Root, float, double, half::half_t);

/// 1 / sqrt(y), as one operation and as two, beside double.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ReciprocalRoot(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, double> wide,
                                   const Tensor<xpu, dim, DType> &y) {
  out = F<op::reciprocal_square_root>(y);
  wide = 1.0 / F<op::square_root>(tcast<double>(y));
}
MSHADOW_INSTANTIATE(ReciprocalRoot, float, half::half_t);

/// Functions that turn angles.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Angles(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, DType> turned,
                           const Tensor<xpu, dim, DType> &x) {
  out = F<op::sin>(x) * F<op::cos>(x) + F<op::tan>(x);
  turned = F<op::atan>(x);
}
MSHADOW_INSTANTIATE(Angles, float, double, half::half_t);

/// Functions of exponentials and logarithms.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Curves(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, DType> logged,
                           const Tensor<xpu, dim, DType> &x) {
  out = F<op::sinh>(x) + F<op::cosh>(x) * F<op::expm1>(x);
  logged = F<op::log2>(F<op::square>(x)) * F<op::log10>(F<op::abs>(x));
}
MSHADOW_INSTANTIATE(Curves, float, double, half::half_t);

/// Inverse functions, and what bells and points need.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Areas(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, DType> bell,
                          const Tensor<xpu, dim, DType> &x) {
  auto size = F<op::abs>(x);
  out = F<op::asinh>(x) + F<op::acosh>(size + DType(1.0f)) + F<op::log1p>(size);
  bell = F<op::erfc>(x) * F<op::cbrt>(x);
}
MSHADOW_INSTANTIATE(Areas, float, double, half::half_t);

/// Smooth steps and ramps.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Gates(Tensor<xpu, dim, DType> step, Tensor<xpu, dim, DType> ramp,
                          const Tensor<xpu, dim, DType> &x) {
  step = F<op::sigmoid>(x) * x;
  ramp = F<op::softplus>(x) + F<op::softplus>(x * x);
}
MSHADOW_INSTANTIATE(Gates, float, double, half::half_t);

/// The polar coordinates of points, and the angle and the size beside a constant.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Polar(Tensor<xpu, dim, DType> angle, Tensor<xpu, dim, DType> size,
                          const Tensor<xpu, dim, DType> &x, const Tensor<xpu, dim, DType> &y) {
  angle = F<op::atan2>(y, x) + F<op::atan2>(0.5f, x);
  size = F<op::hypot>(x, y) + F<op::hypot>(y, 0.25f);
}
MSHADOW_INSTANTIATE(Polar, float, double, half::half_t);

}  // namespace approximate_rules

#endif  // MSHADOW_TESTS_EXECUTION_APPROXIMATE_RULES_H_
