// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct nearest {
  template <typename DType>
  static void Reduce(volatile DType &dst, volatile DType src) {
    dst = src < dst ? src : dst;
  }
};

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<nearest>(in, 1, 1, 1);  // expected-error [view-header] {{'errors::nearest' is declared in the spec, which emitted code does not include}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
