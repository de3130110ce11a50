// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename X>
MSHADOW_EXPRESSION auto Twice(const X &x) {
  x = 2.0f * x;  // expected-error [const-write] {{cannot write 'x'}}
  return x;
}
MSHADOW_INSTANTIATE_EXPRESSION(Twice, float);
}  // namespace errors
