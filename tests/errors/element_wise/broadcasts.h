// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename X>
MSHADOW_EXPRESSION auto Shifted(const X &x) {
  auto first = F<op::identity>(x);
  return x - broadcast_keepdim(first, 0, 1);  // expected-error [expression-only] {{expression 'Shifted' must compute each element from the same element of its operands}}
}
MSHADOW_INSTANTIATE_EXPRESSION(Shifted, float);
}  // namespace errors
