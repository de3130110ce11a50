// SPDX-License-Identifier: Apache-2.0
// Bits of elements as another type, and 16-bit integers. NaNs are replaced first: processors differ
// in their bits.
#include <mshadow/kernel.h>

namespace bit_rules {
using namespace mshadow;
using namespace mshadow::expr;

struct number_or_zero {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return a == a ? a : T(0);
  }
};
struct either {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

/// Floats of any bits, and the bits of all numbers.
template <typename xpu, int dim, typename DType, typename Bits>
MSHADOW_KERNEL void AsBits(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, Bits> bits,
                           const Tensor<xpu, dim, DType> &in, const Tensor<xpu, dim, Bits> &mask) {
  bits = F<either>(bit_cast<Bits>(F<number_or_zero>(in)), mask);
  out = bit_cast<DType>(F<either>(bits, mask));
}
MSHADOW_INSTANTIATE(AsBits, Types<float, int32_t>, Types<double, int64_t>,
                    Types<half::half_t, int16_t>, Types<bfloat::bf16_t, int16_t>);

/// One 16-bit type as the other, and integers of one byte.
template <typename xpu, int dim>
MSHADOW_KERNEL void AsOthers(Tensor<xpu, dim, bfloat::bf16_t> out, Tensor<xpu, dim, uint8_t> bytes,
                             const Tensor<xpu, dim, half::half_t> &in,
                             const Tensor<xpu, dim, int8_t> &small) {
  out = bit_cast<bfloat::bf16_t>(F<number_or_zero>(in));
  bytes = bit_cast<uint8_t>(small);
}
MSHADOW_INSTANTIATE(AsOthers, Types<>);

/// Elements that a condition takes from a narrower type, in packets of any number of lanes.
template <typename xpu, int dim, typename Out, typename In, typename Other>
MSHADOW_KERNEL void Widened(Tensor<xpu, dim, Out> out, Tensor<xpu, dim, Other> other,
                            const Tensor<xpu, dim, In> &in) {
  out = where(out > Out(0), tcast<Out>(in), out);
  other += Other(1);
}
MSHADOW_INSTANTIATE(Widened, Types<int32_t, int8_t, double>, Types<int32_t, uint8_t, int64_t>,
                    Types<int64_t, int8_t, int8_t>, Types<int64_t, int16_t, float>);

/// Bits of a scalar, and of the sum of each row: the largest bits are those of the largest number.
template <typename xpu>
MSHADOW_KERNEL void OfRows(Tensor<xpu, 2, int32_t> out, const Tensor<xpu, 2, float> &in, float s) {
  Temporary<xpu, 1, float> most(Shape1(in.size(0)), in.stream_);
  most = reduce_except_dim<0, red::maximum>(F<number_or_zero>(in));
  auto of_row = bit_cast<int32_t>(broadcast<0>(most, in.shape_));
  out = F<either>(F<either>(of_row, bit_cast<int32_t>(F<number_or_zero>(scalar(s)))),
                  bit_cast<int32_t>(F<number_or_zero>(in)));
}
MSHADOW_INSTANTIATE(OfRows, Types<>);

/// 16-bit integers in arithmetic, comparisons and conversions.
template <typename xpu, int dim, typename Other>
MSHADOW_KERNEL void Short(Tensor<xpu, dim, int16_t> out, Tensor<xpu, dim, Other> other,
                          const Tensor<xpu, dim, int16_t> &a, const Tensor<xpu, dim, int16_t> &b,
                          int16_t s) {
  out = where(a < b, a - b * s, a * b + 3);
  other = tcast<Other>(F<op::maximum>(a, b));
  out += tcast<int16_t>(other) / 7;
}
MSHADOW_INSTANTIATE(Short, float, double, half::half_t, bfloat::bf16_t, int8_t, int32_t, int64_t,
                    bool);

}  // namespace bit_rules
