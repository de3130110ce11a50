// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

MSHADOW_EXPRESSION float Half(float x) {  // expected-error [not-template] {{expression 'Half' is not a template over the types of its operands}}
  return 0.5f * x;
}
}  // namespace errors
