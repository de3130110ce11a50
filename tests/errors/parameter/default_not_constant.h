// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

inline float Rate() { return 0.5f; }

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out,
                         float lr = Rate()) {  // expected-error [unsupported-default] {{the default of 'lr' is not a constant}}
  out = lr;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
