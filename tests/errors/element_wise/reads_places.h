// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename X>
MSHADOW_EXPRESSION auto Mirrored(const X &x) {
  return x + mirror(x);  // expected-error [expression-only] {{expression 'Mirrored' must compute each element from the same element of its operands: it cannot use a view}} expected-note {{make it a rule with MSHADOW_KERNEL}}
}
MSHADOW_INSTANTIATE_EXPRESSION(Mirrored, float);
}  // namespace errors
