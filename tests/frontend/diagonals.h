// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// A diagonal is a matrix of one column. A vector in memory has what is assigned to it, unless that
/// is a vector or a number.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Diagonals(Tensor<xpu, 2, DType> m, const Tensor<xpu, 1, DType> &v, bool some) {
  auto d = diag(m);
  d = 2.0f;
  d -= v;
  if (some) diag(m) = v * diag(m);
  m *= 2.0f;
}
MSHADOW_INSTANTIATE(Diagonals, float);

}  // namespace specs
