// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(const Tensor<xpu, dim, DType> &in, float s) {  // expected-error [no-write] {{rule 'Rule' writes no tensor}}
  auto unused = in * s;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
