// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename X>
MSHADOW_EXPRESSION auto Twice(const X &x) {
  return x + x;
}
MSHADOW_INSTANTIATE_EXPRESSION(Twice, Types<float, float>);  // expected-error [cxx] {{name one element type for all operands}}
}  // namespace errors
