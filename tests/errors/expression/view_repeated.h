// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &in) {
  out = broadcast_with_axis(in * in, 0, out.size(1));  // expected-error [view] {{a computed expression that is repeated}}
}
MSHADOW_INSTANTIATE(Rule, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Computed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &in) {
  out = broadcast<1>(mirror(in) * 2.0f, out.shape_);  // expected-error [view] {{a computed expression that is repeated}}
}
MSHADOW_INSTANTIATE(Computed, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Inside(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &in) {
  out = mirror(broadcast<1>(in * 2.0f, out.shape_));  // expected-error [view] {{a computed expression that is repeated}}
}
MSHADOW_INSTANTIATE(Inside, float);

// These need not be evaluated first.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Numbers(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                            const Tensor<xpu, 1, DType> &bias) {
  out = mirror(in * broadcast<1>(range<DType>(0, in.size(1)), in.shape_)) +
        broadcast<1>(flip(bias, 0), out.shape_);
}
MSHADOW_INSTANTIATE(Numbers, float);
}  // namespace errors
