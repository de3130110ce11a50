// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, int64_t> &index) {
  AddTakeGrad(out, index, 2.0f * in);  // expected-error [unsupported-expression] {{this expression as an argument of AddTakeGrad is not supported in a rule}}
  // expected-note@-1 {{assign anything else to a 'Temporary<xpu, 2, DType> rows(Shape2(...));' first}}
  AddTakeGrad(out, index, slice<1>(in, 0, out.size(1)));  // expected-error [unsupported-expression] {{this expression as an argument of AddTakeGrad}}
  AddTakeGrad(rows(out, index), index, in);  // expected-error [unsupported-expression] {{this expression as an argument of AddTakeGrad}}
  AddTakeGrad(out, index, out);  // expected-error [shifted-read] {{reads it through AddTakeGrad}}
}
MSHADOW_INSTANTIATE(Rule, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void InMemory(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                             const Tensor<xpu, 1, bool> &index) {
  Temporary<xpu, 2, double> sums(out.shape_, out.stream_);
  AddTakeGrad(out, index, in);  // expected-error [unsupported-type] {{bool}}
  AddTakeGrad(out, sums, index, in);  // expected-error [unsupported-expression] {{AddTakeGrad with memory for its sums}}
  // expected-note@-1 {{to add in a wider type, use Temporaries of that type}}
}
MSHADOW_INSTANTIATE(InMemory, float);
}  // namespace errors
