// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename X>  // expected-note@+1 {{write 'MSHADOW_INSTANTIATE_EXPRESSION(Twice, float);'}}
MSHADOW_EXPRESSION auto Twice(const X &x) {  // expected-error [no-instance] {{expression 'Twice' has no instance}}
  return x + x;
}
}  // namespace errors
