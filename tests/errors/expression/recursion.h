// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

inline float Endless(float a) {
  return a > 1.0f ? Endless(a * 0.5f) : a;  // expected-error [recursion] {{'Endless' calls itself}}
}
struct endless {
  static float Map(float a) { return Endless(a); }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<endless>(in);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
