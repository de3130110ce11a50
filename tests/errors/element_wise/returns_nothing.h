// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename X>
MSHADOW_EXPRESSION void Nothing(const X &x) {  // expected-error [unsupported-rule] {{expression 'Nothing' returns nothing}} expected-note {{an expression is a function template}}
  static_cast<void>(x);
}
MSHADOW_INSTANTIATE_EXPRESSION(Nothing, float);
}  // namespace errors
