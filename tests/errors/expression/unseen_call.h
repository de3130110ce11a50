// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

float Mystery(float a);
struct mystery {
  static float Map(float a) {
    return Mystery(a);  // expected-error [unsupported-call] {{'Mystery' cannot be called in an operator or function}}
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<mystery>(in);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
