// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct power3 {
  template <typename T>
  static T Map(T a) {
    T r = a;
    for (int i = 0; i < 2; ++i) r = r * a;  // expected-error [loop] {{a loop is not supported in an operator or function}}
    return r;
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<power3>(in);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
