// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct Third {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return T((a + T(1)) / T(3));
  }
};

// The sum of int8_t is an int, that of half_t a half_t; float is not to blame.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out) {
  out = F<Third>(out);  // expected-error [instances-differ] {{rule 'Rule' differs between mshadow::half::half_t and int8_t: for mshadow::half::half_t, a conversion has type mshadow::half::half_t, in the other instance int32_t}}
}
MSHADOW_INSTANTIATE(Rule, int8_t, float, half::half_t);
}  // namespace errors
