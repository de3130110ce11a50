// SPDX-License-Identifier: Apache-2.0
// What the shipped rules that have values for channels have no use for: other dimensions, element
// types and reducers, vectors along rows beside those of channels, several kernels.
#include <mshadow/kernel.h>

namespace channel_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Every reducer in the type of the tensors itself; scales on both sides.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Reducers(Tensor<xpu, 1, DType> total, Tensor<xpu, 1, DType> top,
                             Tensor<xpu, 1, DType> least, const Tensor<xpu, 4, DType> &in) {
  total = sumall_except_dim<1>(in) * 3;
  total -= 0.1f * (0.7f * sumall_except_dim<1>(in * in));
  top = reduce_except_dim<1, red::maximum>(in);
  least += reduce_except_dim<1, red::minimum>(in);
}
MSHADOW_INSTANTIATE(Reducers, float, double, half::half_t, bfloat::bf16_t);

/// The same for integers, which wrap, of three dimensions.
template <typename xpu, typename DType>
MSHADOW_KERNEL void IntegerReducers(Tensor<xpu, 1, DType> total, Tensor<xpu, 1, DType> top,
                                    Tensor<xpu, 1, DType> least, const Tensor<xpu, 3, DType> &in) {
  total = sumall_except_dim<1>(in) * 3;
  total -= 2 * sumall_except_dim<1>(in * in);
  top = reduce_except_dim<1, red::maximum>(in);
  least += reduce_except_dim<1, red::minimum>(in);
}
MSHADOW_INSTANTIATE(IntegerReducers, int8_t, uint8_t, int16_t, int32_t, int64_t);

/// A sample is a channel: softmax over whole images.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Samples(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  Temporary<xpu, 1, float> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  auto x = tcast<float>(in);
  top = reduce_except_dim<0, red::maximum>(x);
  auto e = F<op::exp>(x - broadcast<0>(top, in.shape_));
  total = sumall_except_dim<0>(e);
  out = tcast<DType>(e / broadcast<0>(total, in.shape_));
}
MSHADOW_INSTANTIATE(Samples, float, half::half_t);

/// Rows of images are channels: planes are rows. A vector along rows, and a single value; in place.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rows(Tensor<xpu, 4, DType> x, Tensor<xpu, 1, DType> last,
                         const Tensor<xpu, 1, DType> &slope, const Tensor<xpu, 1, DType> &rate,
                         const Tensor<xpu, 1, DType> &gain) {
  x *= broadcast<3>(slope, x.shape_);
  last = sumall_except_dim<2>(x * broadcast<2>(gain, x.shape_));
  x -= broadcast<2>(last, x.shape_) * broadcast_scalar(rate, x.shape_);
  last *= static_cast<DType>(0.5f);
}
MSHADOW_INSTANTIATE(Rows, float, double);

/// Nothing is reduced: a bias of channels, and a vector that is computed once for each.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Bias(Tensor<xpu, 3, DType> out, Tensor<xpu, 1, float> kept,
                         const Tensor<xpu, 3, DType> &in, const Tensor<xpu, 1, float> &bias,
                         bool centre) {
  auto x = tcast<float>(in);
  if (centre) {
    kept = F<op::sigmoid>(bias) * range<float>(0, kept.size(0));
    out = tcast<DType>(x + broadcast<1>(kept, in.shape_));
  } else {
    out = tcast<DType>(x * broadcast<1>(bias, in.shape_));
  }
}
MSHADOW_INSTANTIATE(Bias, float, half::half_t);

/// Numbers of channels and of elements of a row: alone, by a name, with a vector, and
/// within a reduction.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Numbers(Tensor<xpu, 4, DType> out, Tensor<xpu, 1, float> total,
                            const Tensor<xpu, 4, DType> &in, const Tensor<xpu, 1, float> &bias) {
  auto number = range<float>(0, in.size(1));
  auto x = tcast<float>(in) * broadcast<1>(number, in.shape_);
  total = sumall_except_dim<1>(x + broadcast<3>(range<float>(0, in.size(3)), in.shape_));
  out = tcast<DType>(x + broadcast<1>(bias * number + 3.0f, in.shape_));
}
MSHADOW_INSTANTIATE(Numbers, float, half::half_t);

/// Channels in one kernel, everything in the next, what was written in between.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Stages(Tensor<xpu, 4, DType> x, Tensor<xpu, 1, float> norm,
                           Tensor<xpu, 1, float> mean) {
  mean = 0.25f * sumall_except_dim<1>(tcast<float>(x));
  x -= tcast<DType>(broadcast<1>(mean, x.shape_));
  MSHADOW_STAGE();
  norm = reduce_all<red::sum>(tcast<float>(x * x));
  MSHADOW_STAGE();
  x = x * tcast<DType>(broadcast_scalar(norm, x.shape_) + broadcast<1>(mean, x.shape_));
}
MSHADOW_INSTANTIATE(Stages, float, half::half_t);

/// A temporary with an element for each of the rule's, which both sweeps compute.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Temporaries(Tensor<xpu, 4, DType> out, Tensor<xpu, 1, float> total,
                                const Tensor<xpu, 4, DType> &in) {
  Temporary<xpu, 4, float> bent(in.shape_, in.stream_);
  bent = F<op::tanh>(tcast<float>(in));
  total = sumall_except_dim<1>(bent);
  out = tcast<DType>(bent - broadcast<1>(total, in.shape_));
}
MSHADOW_INSTANTIATE(Temporaries, float);

}  // namespace channel_rules
