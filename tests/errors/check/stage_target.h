// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// Its second kernel has the name of a rule.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = dot(in, in);
  out = out + 1.0f;
}
MSHADOW_INSTANTIATE(Rule, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void RuleStage2(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {  // expected-error [reserved-name] {{'RuleStage2' cannot be a name: it is the name of a generated kernel of 'Rule'}}
  out = in + 1.0f;
}
MSHADOW_INSTANTIATE(RuleStage2, float);
}  // namespace errors
