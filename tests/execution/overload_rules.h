// SPDX-License-Identifier: Apache-2.0
// Rules that share their names.
#include <mshadow/kernel.h>

namespace overload_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Columns without their means.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Centred(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> mean(Shape1(in.size(1)), in.stream_);
  mean = sumall_except_dim<1>(in) * (1.0f / static_cast<float>(in.size(0)));
  out = in - broadcast<1>(mean, in.shape_);
}
/// Channels without their means.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Centred(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  const float count = static_cast<float>(in.size(0) * in.size(2) * in.size(3));
  Temporary<xpu, 1, DType> mean(Shape1(in.size(1)), in.stream_);
  mean = sumall_except_dim<1>(in) * (1.0f / count);
  out = in - broadcast<1>(mean, in.shape_);
}
MSHADOW_INSTANTIATE(Centred, float);

/// Other parameters, and other types, beside another rank.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Shifted(Tensor<xpu, 1, DType> out, const Tensor<xpu, 1, DType> &in,
                            int by = 2) {
  out = in + DType(by);
}
/// Two kernels.
template <typename xpu, typename DType, typename SType>
MSHADOW_KERNEL void Shifted(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, SType> &in,
                            const Tensor<xpu, 1, DType> &by) {
  out = tcast<DType>(in) + broadcast<1>(by, in.shape_);
  MSHADOW_STAGE();
  slice<0>(out, 0, 1) *= DType(2);
}
MSHADOW_INSTANTIATE(Shifted, float, int32_t, Types<double, float>);

/// A rule that calls both of a name.
template <typename xpu, typename DType>
MSHADOW_KERNEL void BothCentred(Tensor<xpu, 2, DType> columns, Tensor<xpu, 4, DType> channels,
                                const Tensor<xpu, 2, DType> &in,
                                const Tensor<xpu, 4, DType> &images) {
  Centred(columns, in);
  MSHADOW_STAGE();
  Centred(channels, images);
}
MSHADOW_INSTANTIATE(BothCentred, float);
}  // namespace overload_rules
