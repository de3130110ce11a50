// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename... DTypes>  // expected-error [unsupported-template-parameter] {{template parameter 'DTypes' is neither}}
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DTypes>... out) {
  (static_cast<void>(out = 1.0f), ...);
}
}  // namespace errors
