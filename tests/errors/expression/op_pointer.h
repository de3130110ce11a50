// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct bits {
  static float Map(float a) {
    const int *p = reinterpret_cast<const int *>(&a);  // expected-error [pointer] {{a pointer is not supported in an operator or function}} expected-note {{take the element by value}}
    return *p > 0 ? a : 0.0f;
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<bits>(in);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
