// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

namespace {
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out) {  // expected-error [unsupported-rule] {{rule 'Rule' is in an unnamed namespace}} expected-note {{give the namespace a name}}
  out = 1.0f;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace
}  // namespace errors
