// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void OtherDimension(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                                   const Tensor<xpu, 1, DType> &bias,
                                   const Tensor<xpu, 1, DType> &place) {
  out = in + broadcast<1>(bias, in.shape_)
           + broadcast<2>(place, in.shape_);  // expected-error [mixed-reductions] {{this broadcasts along dimension 2, but the same statement also broadcasts along dimension 1}}
}
MSHADOW_INSTANTIATE(OtherDimension, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Keeps(Tensor<xpu, 1, DType> top, const Tensor<xpu, 4, DType> &in,
                          const Tensor<xpu, 1, DType> &mean) {
  top = reduce_except_dim<2, red::maximum>(in - broadcast<1>(mean, in.shape_));  // expected-error [mixed-reductions] {{this reduces all dimensions but 2, but the same statement also broadcasts along dimension 1}}
}
MSHADOW_INSTANTIATE(Keeps, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Columns(Tensor<xpu, 1, DType> columns, const Tensor<xpu, 4, DType> &in,
                            const Tensor<xpu, 1, DType> &bias) {
  columns = sumall_except_dim<3>(in + broadcast<1>(bias, in.shape_));  // expected-error [mixed-reductions] {{this reduces columns, but the same statement also broadcasts along dimension 1}}
}
MSHADOW_INSTANTIATE(Columns, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Length(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  Temporary<xpu, 1, DType> mean(Shape1(in.size(2)), in.stream_);  // expected-error [temporary-shape] {{the shape of temporary 'mean' must fit the tensors of the rule}}
  mean = sumall_except_dim<1>(in);
  out = in - broadcast<1>(mean, in.shape_);
}
MSHADOW_INSTANTIATE(Length, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Numbers(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  Temporary<xpu, 4, DType> twice(in.shape_, in.stream_);
  twice = in * 2.0f;
  MSHADOW_STAGE();
  out = twice + broadcast<1>(range<DType>(0, in.size(1)), twice.shape_);  // expected-error [extent] {{'range'}}
  // expected-note@-1 {{write the shape of a parameter, as in 'out.shape_'}}
}
MSHADOW_INSTANTIATE(Numbers, float);
}  // namespace errors
