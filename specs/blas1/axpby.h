// SPDX-License-Identifier: Apache-2.0
/// \file axpby.h
/// Vector operations of BLAS level 1, for tensors of any rank. 16-bit tensors compute in float and
/// round once; the rules for double have BLAS's prefix D.
#ifndef SPECS_BLAS1_AXPBY_H_
#define SPECS_BLAS1_AXPBY_H_

#include <mshadow/kernel.h>

namespace blas1 {
using namespace mshadow;
using namespace mshadow::expr;

/// y = a x + b y.
/// \param y updated in place
/// \param x added to y
/// \param a factor of x
/// \param b factor of the old y
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Axpby(Tensor<xpu, dim, DType> y, const Tensor<xpu, dim, DType> &x,
                          MSHADOW_HYPER float a = 1.0f, MSHADOW_HYPER float b = 1.0f) {
  y = tcast<DType>(a * tcast<float>(x) + b * tcast<float>(y));
}
MSHADOW_INSTANTIATE(Axpby, float, half::half_t, bfloat::bf16_t);

/// y = a x + b y in double.
/// \param y updated in place
/// \param x added to y
/// \param a factor of x
/// \param b factor of the old y
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void DAxpby(Tensor<xpu, dim, DType> y, const Tensor<xpu, dim, DType> &x,
                           MSHADOW_HYPER double a = 1.0, MSHADOW_HYPER double b = 1.0) {
  y = a * x + b * y;
}
MSHADOW_INSTANTIATE(DAxpby, double);

/// y = a x.
/// \param y result; may be x
/// \param x operand
/// \param a factor
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Scale(Tensor<xpu, dim, DType> y, const Tensor<xpu, dim, DType> &x,
                          MSHADOW_HYPER float a = 1.0f) {
  y = tcast<DType>(a * tcast<float>(x));
}
MSHADOW_INSTANTIATE(Scale, float, half::half_t, bfloat::bf16_t);

/// y = a x in double.
/// \param y result; may be x
/// \param x operand
/// \param a factor
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void DScale(Tensor<xpu, dim, DType> y, const Tensor<xpu, dim, DType> &x,
                           MSHADOW_HYPER double a = 1.0) {
  y = a * x;
}
MSHADOW_INSTANTIATE(DScale, double);

/// y = x limited to [-bound, bound]. NaN stays NaN.
/// \param y result; may be x
/// \param x operand
/// \param bound largest magnitude
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Clip(Tensor<xpu, dim, DType> y, const Tensor<xpu, dim, DType> &x,
                         MSHADOW_HYPER double bound = 1.0) {
  y = tcast<DType>(F<op::clip>(tcast<Promoted<DType>>(x), bound));
}
MSHADOW_INSTANTIATE(Clip, float, double, half::half_t, bfloat::bf16_t);

}  // namespace blas1

#endif  // SPECS_BLAS1_AXPBY_H_
