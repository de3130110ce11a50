// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Every operator of a 16-bit float: narrow with its own type and, rounded once, with others.
struct mixed {
  template <typename T>
  static T Map(T a, T b) {
    T r = -a;
    r += b;
    r *= 0.5f;
    r -= 0.25;
    r /= T(3);
    r = a > b ? 2 * (a - b) : T(0.0f);
    r = r < b ? r * 0.5f + 0.25 : r;
    r = 3.0f / r;
    if (a < b && b != T(0)) r = T(a / b);
    return r + T(1);
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void NarrowFloats(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                                 float lr, DType scale) {
  out = F<mixed>(out, in) * lr;
  out *= scale;
  out += tcast<DType>(tcast<float>(in) * lr);
}
MSHADOW_INSTANTIATE(NarrowFloats, half::half_t, bfloat::bf16_t, double);
}  // namespace specs
