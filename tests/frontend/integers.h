// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Narrow integers compute in int and come back: the same as arithmetic on the narrow type.
struct bits {
  template <typename T>
  static T Map(T a, T b) {
    T r = static_cast<T>((a & b) | (a ^ 3));
    r = static_cast<T>(~r << 2);
    r >>= 1;
    return static_cast<T>(r % T(7));
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Integers(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = in * out + 3;
  out = F<bits>(out, in) - out / in;
}
MSHADOW_INSTANTIATE(Integers, int8_t, uint8_t, int16_t, int32_t, int64_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Casts(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, bool> &mask,
                          const Tensor<xpu, dim, double> &in) {
  out = tcast<DType>(tcast<int32_t>(mask)) + tcast<DType>(in);
}
MSHADOW_INSTANTIATE(Casts, uint8_t);
}  // namespace specs
