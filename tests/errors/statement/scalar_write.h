// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

inline float rate = 1.0f;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  rate = 2.0f;  // expected-error [scalar-write] {{'rate' cannot be written: it is a global variable}} expected-note {{write a local variable instead, and pass its initial value as a parameter}}
  out = in * rate;  // expected-error [unsupported-expression] {{a global variable is not supported in a rule}} expected-note {{pass 'rate' as a scalar parameter, or declare it constexpr}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
