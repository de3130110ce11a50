// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct left {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a, DType) {
    return a;
  }
};

template <typename X>
MSHADOW_EXPRESSION auto Kept(const X &x) {
  return F<left>(x, mirror(x));  // expected-error [expression-only] {{expression 'Kept' must compute each element from the same element of its operands: it cannot use a view}} expected-note {{make it a rule with MSHADOW_KERNEL}}
}
MSHADOW_INSTANTIATE_EXPRESSION(Kept, float);
}  // namespace errors
