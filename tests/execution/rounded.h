// SPDX-License-Identifier: Apache-2.0
/// \file rounded.h
/// A rule whose second statement reads what the first one rounded, for the control of
/// compiler_matrix.py: without that rounding the bits change.
#include <mshadow/kernel.h>

namespace rounded {
using namespace mshadow;
using namespace mshadow::expr;

/// low = round(a a), sum = sum + low.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rounded(Tensor<xpu, dim, DType> low, Tensor<xpu, dim, float> sum,
                            const Tensor<xpu, dim, float> &a) {
  low = tcast<DType>(a * a);
  sum += tcast<float>(low);
}
MSHADOW_INSTANTIATE(Rounded, float, half::half_t, bfloat::bf16_t);
}  // namespace rounded
