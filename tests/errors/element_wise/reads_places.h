// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename X>
MSHADOW_EXPRESSION auto Mirrored(const X &x) {
  return x + mirror(x);  // expected-error [expression-only] {{expression 'Mirrored' is more than a formula of its operands' elements: this view}} expected-note {{write a rule, or a function without}}
}
MSHADOW_INSTANTIATE_EXPRESSION(Mirrored, float);
}  // namespace errors
