// SPDX-License-Identifier: Apache-2.0
// Bits of elements as another type, in which a rule computes; 16-bit integers.
#include <mshadow/kernel.h>

namespace bits {
using namespace mshadow;
using namespace mshadow::expr;

struct low_bits {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return static_cast<T>(static_cast<uint32_t>(a) & 0xffffu);
  }
};

struct flipped {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return static_cast<T>(~a);
  }
};

/// A type for each instance, of one size.
template <typename xpu, int dim, typename DType, typename Bits>
MSHADOW_KERNEL void Reversed(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, Bits> bits) {
  out = bit_cast<DType>(F<flipped>(bits));
  bits = bit_cast<Bits>(out);
}
MSHADOW_INSTANTIATE(Reversed, Types<float, int32_t>, Types<bfloat::bf16_t, int16_t>);

/// Types that the rule names.
template <typename xpu>
MSHADOW_KERNEL void Low(Tensor<xpu, 2, int16_t> out, const Tensor<xpu, 2, float> &in, float s) {
  out = tcast<int16_t>(F<low_bits>(bit_cast<int32_t>(in * s)) + bit_cast<int32_t>(scalar(s)));
}
MSHADOW_INSTANTIATE(Low, Types<>);

}  // namespace bits
