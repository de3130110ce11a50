// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct Holder {
  template <typename xpu, int dim, typename DType>
  MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out) {  // expected-error [unsupported-rule] {{rule 'Rule' is a member of a class}} expected-note {{move it out of the class}}
    out = 1.0f;
  }
};
}  // namespace errors
