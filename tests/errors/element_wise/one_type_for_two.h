// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename X>
MSHADOW_EXPRESSION auto Sum(const X &x, const X &y) {  // expected-error [unsupported-parameter] {{parameter 'y' has type}} expected-note {{another operand has the same template parameter: give each operand its own}}
  return x + y;
}
MSHADOW_INSTANTIATE_EXPRESSION(Sum, float);
}  // namespace errors
