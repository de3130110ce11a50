// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename X>
MSHADOW_EXPRESSION auto Mean(const X &x) {
  const float count = 1.0f / x.shape_.Size();  // expected-error [expression-only] {{it cannot use the shape of an operand}}
  return x * count;
}
MSHADOW_INSTANTIATE_EXPRESSION(Mean, float);
}  // namespace errors
