// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// All five assignments, from expressions and from scalars.
/// \param a the first
///     of two lines
/// \param[in,out] b the second
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Savers(MSHADOW_PARAMETER Tensor<xpu, dim, DType> a,
                           MSHADOW_STATE(1.5f) Tensor<xpu, dim, DType> &b,
                           MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &c,
                           MSHADOW_HYPER float s = 0.5f, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  a = b + c;
  a += c * 2;
  b -= s;
  b *= a - b;
  a /= b;
  b = 3;
  a = -c;
  a *= a;
}
MSHADOW_INSTANTIATE(Savers, float, half::half_t);
}  // namespace specs
