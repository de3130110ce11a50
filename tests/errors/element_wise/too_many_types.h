// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename X>
MSHADOW_EXPRESSION auto Twice(const X &x) {
  return x + x;
}
MSHADOW_INSTANTIATE_EXPRESSION(Twice, Types<float, float>);  // expected-error [instance-types] {{an item of this list has more or fewer types than expression 'Twice' has operands}} expected-note {{an item is the element type of all operands}}
}  // namespace errors
