// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct soft {
  static float Map(float a) {
    return expf(a);  // expected-performance [libm-call] {{'expf' is a function of the C library}}
  }                  // expected-note@-1 {{call mshadow::math::exp, which is vectorised and gives the same bits everywhere}}
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<soft>(in);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
