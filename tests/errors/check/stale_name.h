// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  auto sum = out + in;   // expected-note {{'sum' is defined here}}
  out = in * 2.0f;       // expected-note {{'out' is written here}}
  out -= sum;            // expected-warning [stale-name] {{'sum' reads the new value of 'out', which an earlier statement wrote}}
}
MSHADOW_INSTANTIATE(Rule, float);

/// What another branch writes is not written here.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Branches(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, DType> sum,
                             const Tensor<xpu, dim, DType> &in, bool nesterov, bool twice) {
  auto old = sum * 2.0f;  // expected-note {{'old' is defined here}}
  if (nesterov) {
    sum += in;
    out -= sum;
  } else {
    if (twice) sum -= in;  // expected-note {{'sum' is written here}}
    if (!twice) out -= old;
    out += old;  // expected-warning [stale-name] {{'old' reads the new value of 'sum', which an earlier statement wrote}}
  }
  if (!nesterov && !twice) out -= old;
}
MSHADOW_INSTANTIATE(Branches, float);
}  // namespace errors
