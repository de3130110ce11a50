// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct wide {
  static float Map(float a) {
    long double w = a;  // expected-error [unsupported-type] {{type 'long double' is not supported in an operator or function}}
    return static_cast<float>(w * w);
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<wide>(in);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
