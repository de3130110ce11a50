// SPDX-License-Identifier: Apache-2.0
namespace errors {
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {  // expected-error [no-kernel-header] {{'MSHADOW_KERNEL' is not declared: the spec does not include <mshadow/kernel.h>}} expected-note {{write '#include <mshadow/kernel.h>' at the beginning of the spec}}
  out -= in;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
