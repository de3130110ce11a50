// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Nested(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = in - inclusive_scan<red::sum>(in);                  // expected-error [scan] {{a scan must be the whole right side of an assignment}} expected-note {{assign it to a tensor or a Temporary first, and use that here}}
  out = F<op::exp>(linear_recurrence(0.5f, in));            // expected-error [scan] {{a scan must be the whole right side of an assignment}}
  slice<1>(out, 0, 2) = exclusive_scan<red::sum>(slice<1>(in, 0, 2));  // expected-error [scan] {{a scan cannot be assigned to a slice}} expected-note {{assign it to a Temporary, and copy that to the slice}}
}
MSHADOW_INSTANTIATE(Nested, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void OfVector(Tensor<xpu, 1, DType> out, const Tensor<xpu, 1, DType> &in) {
  out = inclusive_scan<red::sum>(in);  // expected-error [scan] {{a scan of a vector is not supported in a rule}} expected-note {{take tensors of any rank, as in 'Tensor<xpu, dim, DType>'}}
}
MSHADOW_INSTANTIATE(OfVector, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void OfBool(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = inclusive_scan<red::maximum>(in);  // expected-error [scan] {{a scan does not take bool}} expected-note {{convert the operand with tcast<int32_t>(...)}}
}
MSHADOW_INSTANTIATE(OfBool, bool);
}  // namespace errors
