// SPDX-License-Identifier: Apache-2.0
/// \file slow_parts.h
/// For each message of -Wperformance, a rule that gets it, and one that computes the same (in
/// LongDivision, of narrower numbers) without it.
#ifndef MSHADOW_BENCHMARKS_SLOW_PARTS_H_
#define MSHADOW_BENCHMARKS_SLOW_PARTS_H_

#include <mshadow/kernel.h>

#include "own_view.h"

namespace slow_parts {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu>
MSHADOW_KERNEL void ElementView(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in) {
  out = 2.0f * own_view(in);
}
MSHADOW_INSTANTIATE(ElementView, Types<>);

template <typename xpu>
MSHADOW_KERNEL void PacketView(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in) {
  out = 2.0f * flip(in, 0);
}
MSHADOW_INSTANTIATE(PacketView, Types<>);

struct half_in_double {
  static float Map(float a) { return static_cast<float>(0.5 * a); }
};
struct half_in_float {
  static float Map(float a) { return 0.5f * a; }
};

template <typename xpu>
MSHADOW_KERNEL void WideArithmetic(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in) {
  out = F<half_in_double>(in);
}
MSHADOW_INSTANTIATE(WideArithmetic, Types<>);

template <typename xpu>
MSHADOW_KERNEL void FloatArithmetic(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in) {
  out = F<half_in_float>(in);
}
MSHADOW_INSTANTIATE(FloatArithmetic, Types<>);

template <typename xpu>
MSHADOW_KERNEL void ConstantPower(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in) {
  out = F<op::power>(in, 3.0f);
}
MSHADOW_INSTANTIATE(ConstantPower, Types<>);

template <typename xpu>
MSHADOW_KERNEL void Products(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in) {
  out = in * in * in;
}
MSHADOW_INSTANTIATE(Products, Types<>);

template <typename xpu, typename IType>
MSHADOW_KERNEL void Division(Tensor<xpu, 2, IType> out, const Tensor<xpu, 2, IType> &in) {
  out = IType(1000000007) / in;
}
MSHADOW_INSTANTIATE(Division, int64_t, int32_t);

template <typename xpu>
MSHADOW_KERNEL void ScalarDivision(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in,
                                   float s) {
  out = in / s;
}
MSHADOW_INSTANTIATE(ScalarDivision, Types<>);

template <typename xpu>
MSHADOW_KERNEL void Reciprocal(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in,
                               float s) {
  const float inverse = 1.0f / s;
  out = inverse * in;
}
MSHADOW_INSTANTIATE(Reciprocal, Types<>);

template <typename xpu>
MSHADOW_KERNEL void ReadAcross(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in) {
  auto total = reduce_keepdim<red::sum, false>(in.T(), 0);
  out = in.T() / broadcast_keepdim(total, 0, out.size(0));
}
MSHADOW_INSTANTIATE(ReadAcross, Types<>);

template <typename xpu>
MSHADOW_KERNEL void ReadInTiles(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in) {
  out = in.T();
  MSHADOW_STAGE();
  auto total = reduce_keepdim<red::sum, false>(out, 0);
  out = out / broadcast_keepdim(total, 0, out.size(0));
}
MSHADOW_INSTANTIATE(ReadInTiles, Types<>);

template <typename xpu>
MSHADOW_KERNEL void ScanAgain(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in) {
  Temporary<xpu, 2, float> sums(in.shape_, in.stream_);
  sums = inclusive_scan<red::sum>(in);
  auto top = reduce_keepdim<red::maximum, false>(sums, 1);
  out = sums / broadcast_keepdim(top, 1, in.size(1));
}
MSHADOW_INSTANTIATE(ScanAgain, Types<>);

template <typename xpu>
MSHADOW_KERNEL void ScanOnce(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in) {
  out = inclusive_scan<red::sum>(in);
  auto top = reduce_keepdim<red::maximum, false>(out, 1);
  out = out / broadcast_keepdim(top, 1, in.size(1));
}
MSHADOW_INSTANTIATE(ScanOnce, Types<>);

}  // namespace slow_parts

#endif  // MSHADOW_BENCHMARKS_SLOW_PARTS_H_
