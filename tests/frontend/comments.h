// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// A comment that would end a comment: */ and a trigraph ??/ and a backslash at the end \\
/// \param out a line  	break
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Comments(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = /* not repeated */ in *
        (static_cast<DType>(2.50f) /* nor this */ + 1e3f);
  out += F<op::maximum>(in, out) * tcast<DType>(in) - -in;
}
MSHADOW_INSTANTIATE(Comments, float);
}  // namespace specs
