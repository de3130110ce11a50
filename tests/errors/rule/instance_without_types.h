// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu>
MSHADOW_KERNEL void Fixed(Tensor<xpu, 1, float> out) {
  out = 1.0f;
}
MSHADOW_INSTANTIATE(Fixed, float);  // expected-error [instance-types] {{an item of this list has more or fewer types than rule 'Fixed' has type parameters}} expected-note {{for a rule without one 'Types<>'}}
}  // namespace errors
