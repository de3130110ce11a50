// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                         const Tensor<xpu, dim, uint8_t> &mask) {
  out = where(in > 0.0f, 1.0f, 0.0f);
  out -= tcast<DType>(where(mask, 2, 1));
  out += tcast<DType>(where(mask, 0.5f, 0.0f));  // expected-error [cxx] {{where(condition, a, b) of two numbers has the condition's element type, an integer here, which loses fractions: write where(tcast<float>(condition), ...)}} expected-note@+2 {{in instantiation of}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
