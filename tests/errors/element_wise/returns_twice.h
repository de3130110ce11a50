// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename X>
MSHADOW_EXPRESSION auto Signed(const X &x, bool negative) {
  if (negative) return x * -1.0f;  // expected-error [expression-only] {{expression 'Signed' must have a single return, at its end}}
  // expected-note@-1 {{choose a scalar instead}}
  return x * 1.0f;
}
MSHADOW_INSTANTIATE_EXPRESSION(Signed, float);
}  // namespace errors
