// SPDX-License-Identifier: Apache-2.0
// flags: -Wperformance
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct half_of {
  static float Map(float a) { return static_cast<float>(0.5 * a); }
};

/// In double, and a power; integers that are divided one by one.
template <typename xpu>
MSHADOW_KERNEL void Arithmetic(Tensor<xpu, 2, float> out, Tensor<xpu, 2, int64_t> count,
                               const Tensor<xpu, 2, float> &in,
                               const Tensor<xpu, 2, int64_t> &parts, int64_t n) {
  out = F<half_of>(in);  // expected-performance [wide-arithmetic] {{this statement computes in double, so a packet has half as many elements as its tensors would allow}} expected-note {{C++ computes '0.5 * a' of a float in double: write 'T(0.5f) * a' in an operator, and use 'tcast' for narrower numbers}}
  out += F<op::power>(in, 3.0f) + F<op::power>(in, 3.5f);  // expected-performance [constant-power] {{a power with a constant exponent takes a logarithm and an exponential for each element}} expected-note {{write x * x * x, which rounds differently}}
  count = count / n;
  count += parts / count;  // expected-performance [long-division] {{'/' of integers of 64 bits is computed one element at a time, unless all of a packet have 32 bits}} expected-note {{compute in int32_t if the numbers fit}}
}
MSHADOW_INSTANTIATE(Arithmetic, Types<>);

/// In integers of 64 bits.
template <typename xpu>
MSHADOW_KERNEL void Long(Tensor<xpu, 2, int32_t> out, const Tensor<xpu, 2, int32_t> &in) {
  out = tcast<int32_t>(tcast<int64_t>(in) * 3);  // expected-performance [wide-arithmetic] {{this statement computes in integers of 64 bits, so a packet has half as many elements as its tensors would allow}} expected-note {{use 'tcast<int32_t>' if the numbers fit}}
}
MSHADOW_INSTANTIATE(Long, Types<>);

/// A quotient of the launch's scalar, and one for each element.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Quotients(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                              float s) {
  const float inverse = 1.0f / s;
  out = in / s;  // expected-performance [scalar-division] {{the kernel waits for the divider, and this divides by the same scalar for each element}} expected-note {{multiply by its reciprocal, a scalar of the prologue, if the last bit does not matter}}
  out = in / out + inverse * in;
}
MSHADOW_INSTANTIATE(Quotients, float, double);

/// A view that no read replaces, and one that a read does.
template <typename xpu>
MSHADOW_KERNEL void Views(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in) {
  out = mirror(in) + implicit_dot(in, in);  // expected-performance [element-view] {{is evaluated one element at a time, where tensors are read in packets of up to 64 bytes}} expected-note {{assign it to a Temporary in a stage of its own if several statements or elements use it; docs/language/views.md lists the views that are read in packets}}
}
MSHADOW_INSTANTIATE(Views, Types<>);

/// A row of the view is read from as many rows of the tensor. A kernel that reduces rows or nothing
/// reads tiles.
template <typename xpu>
MSHADOW_KERNEL void Across(Tensor<xpu, 2, float> out, Tensor<xpu, 1, float> top,
                           const Tensor<xpu, 2, float> &in, const Tensor<xpu, 2, float> &other) {
  top = reduce_except_dim<1, red::maximum>(in.T());  // expected-performance [read-across] {{the elements of a row of 'in_transposed' are in as many rows of its tensor, and are read one at a time}} expected-note {{assign it to a tensor in a stage of its own: a kernel that reduces nothing reads it in tiles}}
  MSHADOW_STAGE();
  out = other.T() * 2.0f;
  MSHADOW_STAGE();
  auto total = reduce_keepdim<red::sum, false>(other.T(), 1);
  out = out / broadcast_keepdim(total, 1, out.size(1));
}
MSHADOW_INSTANTIATE(Across, Types<>);

/// A scan that two passes compute.
template <typename xpu>
MSHADOW_KERNEL void Scans(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in) {
  Temporary<xpu, 2, float> sums(in.shape_, in.stream_);
  sums = inclusive_scan<red::sum>(in);  // expected-performance [scan-again] {{several passes over a row compute this scan}} expected-note {{assign the scan to a tensor that has memory}}
  auto top = reduce_keepdim<red::maximum, false>(sums, 1);
  out = sums / broadcast_keepdim(top, 1, in.size(1));
}
MSHADOW_INSTANTIATE(Scans, Types<>);

/// One that a row buffer keeps.
template <typename xpu>
MSHADOW_KERNEL void Kept(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in) {
  Temporary<xpu, 2, float> sums(in.shape_, in.stream_);
  sums = inclusive_scan<red::sum>(F<op::exp>(in));
  auto top = reduce_keepdim<red::maximum, false>(sums, 1);
  out = sums / broadcast_keepdim(top, 1, in.size(1));
}
MSHADOW_INSTANTIATE(Kept, Types<>);
}  // namespace errors
