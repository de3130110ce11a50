// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct positive {
  // expected-warning@+3 [cxx-warning] {{non-void function does not return a value in all control paths}}
  static float Map(float a) {  // expected-error [missing-return] {{'Map' does not return a value on every path}}
    if (a > 0.0f) return a;
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<positive>(in);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
