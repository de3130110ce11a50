// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const index_t half = in.size(1) / 2;
  auto turned = flip(in, 0) * 2.0f;    // expected-warning [unused-view] {{'turned' is never used, so the fused rule does not check it; the unfused rule does}}
  auto part = slice<1>(in, 0, half);   // expected-warning [unused-view] {{'part' is never used, so the fused rule does not check it; the unfused rule does}}
  auto rows = in.Slice(0, 1);          // expected-warning [unused-view] {{'rows' is never used, so the fused rule does not check it; the unfused rule does}}
  auto sum = in + 1.0f;                // nothing looks at the shape of that
  auto used = mirror(in);
  out = used;
}
MSHADOW_INSTANTIATE(Rule, float, double);
}  // namespace errors
