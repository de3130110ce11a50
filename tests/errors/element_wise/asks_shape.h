// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename X>
MSHADOW_EXPRESSION auto Mean(const X &x) {
  return x * (1.0f / static_cast<float>(x.size(1)));  // expected-error [expression-only] {{this dimension of 'x'}}
}
MSHADOW_INSTANTIATE_EXPRESSION(Mean, float);
}  // namespace errors
