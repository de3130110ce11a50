// SPDX-License-Identifier: Apache-2.0
/// \file steep.h
/// Rules whose loops by hand are simple, and which were many times slower: rows of a few elements,
/// integers that are divided, bytes, values of a row, and elements of other places.
#ifndef MSHADOW_BENCHMARKS_STEEP_H_
#define MSHADOW_BENCHMARKS_STEEP_H_

#include <mshadow/kernel.h>

namespace steep {
using namespace mshadow;
using namespace mshadow::expr;

/// a modulo b, of integers.
struct remainder {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return static_cast<T>(a % b);
  }
};

/// Pixels of four channels over pixels of three.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Over(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  auto alpha = broadcast_keepdim(tcast<int32_t>(slice<1>(in, 3, 4)), 1, 3);
  auto colour = tcast<int32_t>(slice<1>(in, 0, 3));
  out = tcast<DType>((colour * alpha + tcast<int32_t>(out) * (255 - alpha)) / 255);
}
MSHADOW_INSTANTIATE(Over, uint8_t);

/// Rows of length 1.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Unit(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  auto total = reduce_keepdim<red::sum, false>(in * in, 1);
  out = in / broadcast_keepdim(F<op::square_root>(total + DType(1)), 1, in.size(1));
}
MSHADOW_INSTANTIATE(Unit, float);

/// One channel of four for the product of two.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Channel(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  slice<1>(out, 3, 4) = slice<1>(in, 0, 1) * slice<1>(in, 1, 2);
}
MSHADOW_INSTANTIATE(Channel, float);

/// Complex numbers, each times an element of a matrix.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Complex(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                            const Tensor<xpu, 2, DType> &factor) {
  out = slice<2>(in, 0, 2) * broadcast_with_axis(factor, 1, 2);
}
MSHADOW_INSTANTIATE(Complex, float);

/// What all bodies do to each other.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Forces(Tensor<xpu, 1, DType> out, const Tensor<xpu, 1, DType> &in) {
  auto distance = broadcast_with_axis(in, -1, in.size(0)) - broadcast_with_axis(in, 0, in.size(0));
  out = reduce_with_axis<red::sum, false>(distance / (distance * distance + 1.0f), 1);
}
MSHADOW_INSTANTIATE(Forces, float);

/// A softmax over the keys that do not come after the query: the rows of several heads.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Causal(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           int queries) {
  auto key = broadcast<1>(range<int>(0, in.size(1)), in.shape_);
  auto query = F<remainder>(broadcast<0>(range<int>(0, in.size(0)), in.shape_), queries);
  auto score = where(key <= query, in, DType(-1e30f));
  auto top = reduce_keepdim<red::maximum, false>(score, 1);
  auto e = F<op::exp>(score - broadcast_keepdim(top, 1, in.size(1)));
  auto total = reduce_keepdim<red::sum, false>(e, 1);
  out = e / broadcast_keepdim(total, 1, in.size(1));
}
MSHADOW_INSTANTIATE(Causal, float);
/// The same where a vector has the number of each row's query.
template <typename xpu, typename DType>
MSHADOW_KERNEL void CausalByVector(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                   const Tensor<xpu, 1, int32_t> &queries) {
  auto key = broadcast<1>(range<int>(0, in.size(1)), in.shape_);
  auto score = where(key <= broadcast<0>(queries, in.shape_), in, DType(-1e30f));
  auto top = reduce_keepdim<red::maximum, false>(score, 1);
  auto e = F<op::exp>(score - broadcast_keepdim(top, 1, in.size(1)));
  auto total = reduce_keepdim<red::sum, false>(e, 1);
  out = e / broadcast_keepdim(total, 1, in.size(1));
}
MSHADOW_INSTANTIATE(CausalByVector, float);

/// Products of bytes as shares of 255.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Shares(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                           const Tensor<xpu, 2, DType> &b) {
  out = tcast<DType>(tcast<int32_t>(a) * tcast<int32_t>(b) / 255);
}
MSHADOW_INSTANTIATE(Shares, uint8_t);

/// Numbers as bytes: scaled, and rounded to the nearest.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ToBytes(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, float> &in) {
  out = tcast<DType>(in * 60.0f + 128.5f);
}
MSHADOW_INSTANTIATE(ToBytes, uint8_t);

/// Bytes as numbers.
template <typename xpu, typename DType>
MSHADOW_KERNEL void FromBytes(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, DType> &in) {
  out = (tcast<float>(in) - 128.0f) * 0.0166f;
}
MSHADOW_INSTANTIATE(FromBytes, uint8_t);

/// A step of the wave equation.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Wave(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &now) {
  auto wide = pad(now, 1);
  auto laplacian = crop(wide, now.shape_, 0, 1) + crop(wide, now.shape_, 2, 1) +
                   crop(wide, now.shape_, 1, 0) + crop(wide, now.shape_, 1, 2) - 4.0f * now;
  out = 2.0f * now - out + 0.25f * laplacian;
}
MSHADOW_INSTANTIATE(Wave, float);

/// Group normalisation: a row is a group of channels of a sample, and each channel has a gain.
template <typename xpu, typename DType>
MSHADOW_KERNEL void GroupNorm(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                              const Tensor<xpu, 1, DType> &gain, index_t samples, index_t plane) {
  const DType share = DType(1.0f / in.size(1));
  auto mean = share * reduce_keepdim<red::sum, false>(in, 1);
  auto centred = in - broadcast_keepdim(mean, 1, in.size(1));
  auto variance = share * reduce_keepdim<red::sum, false>(centred * centred, 1);
  auto scale = F<op::reciprocal_square_root>(variance + DType(1e-5f));
  auto gains = broadcast_with_axis(broadcast_with_axis(gain, -1, samples), 1, plane);
  out = centred * broadcast_keepdim(scale, 1, in.size(1)) * reshape(gains, in.shape_);
}
MSHADOW_INSTANTIATE(GroupNorm, float);

/// Rows of zeros with a few values.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Scatter(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &values,
                            const Tensor<xpu, 2, IType> &columns) {
  out = scatter_columns(values, columns, out.size(1));
}
MSHADOW_INSTANTIATE(Scatter, Types<float, int64_t>);

/// Pixels from planes.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Pixels(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = transpose(in, Shape3(1, 2, 0)) * DType(2);
}
MSHADOW_INSTANTIATE(Pixels, float);

/// The pixels of each row in reverse order.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Flip(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = flip(in, 1) * DType(2);
}
MSHADOW_INSTANTIATE(Flip, float);
}  // namespace steep

#endif  // MSHADOW_BENCHMARKS_STEEP_H_
