// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  switch (out.size(0)) {  // expected-error [unsupported-statement] {{switch is not supported in a rule}} expected-note {{write 'if' and 'else' instead}}
    case 1:
      out = in * 2.0f;
  }
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
