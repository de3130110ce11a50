// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename X>
MSHADOW_EXPRESSION auto Twice(const X &x) {  // expected-note {{the first one is here}}
  return x + x;
}
template <typename X, typename Y>
MSHADOW_EXPRESSION auto Twice(const X &x, const Y &y) {  // expected-error [duplicate-rule] {{two rules are named 'Twice'}} expected-note {{rename one of them}}
  return x + y;
}
MSHADOW_INSTANTIATE_EXPRESSION(Twice, float);
}  // namespace errors
