// SPDX-License-Identifier: Apache-2.0
// Two rules of one name in two namespaces, names that emitted code uses itself.
#include <mshadow/kernel.h>

namespace a {
using namespace mshadow;
using namespace mshadow::expr;
struct clip {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T bound) {
    return a > bound ? bound : a < -bound ? -bound : a;
  }
};

/// Clips x to [-s, s].
template <typename xpu, int dim, typename N>
MSHADOW_KERNEL void Clip(Tensor<xpu, dim, N> x, N s) {
  x = F<clip>(x, s);
}
MSHADOW_INSTANTIATE(Clip, float, double);
}  // namespace a

namespace b {
namespace inner {
using namespace mshadow;
using namespace mshadow::expr;

/// Clips row to [-plan, plan].
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Clip(Tensor<xpu, dim, DType> row, int plan) {
  row = F<a::clip>(row, plan);
}
MSHADOW_INSTANTIATE(Clip, int32_t);
}  // namespace inner
}  // namespace b
