// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Two element types, in another order than their use.
template <typename xpu, int dim, typename A, typename B>
MSHADOW_KERNEL void Pair(Tensor<xpu, dim, B> b, Tensor<xpu, dim, A> a, A scale = A(0.5)) {
  a = tcast<A>(b) * scale;
}
MSHADOW_INSTANTIATE(Pair, Types<float, half::half_t>, Types<double, float>);

namespace inner {
/// In a namespace of its own; instances in the order that is asked for.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Ordered(Tensor<xpu, 1, DType> out, bool flag = true, int64_t n = -5,
                            float big = 1e30f, double tiny = 1e-300) {
  out += DType(1);
}
MSHADOW_INSTANTIATE(Ordered, double, int32_t, float);
}  // namespace inner
}  // namespace specs
