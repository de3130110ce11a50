// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

inline float Twice(float &a) { return a + a; }
struct twice {
  static float Map(float a) {
    return Twice(a);  // expected-error [unsupported-expression] {{an argument by reference is not supported in an operator or function}} expected-note {{take the argument by value, and return the new value}}
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<twice>(in);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
