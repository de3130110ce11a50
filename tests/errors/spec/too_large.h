// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <int n>
struct Twice {
  template <typename T>
  static T Map(T a) {
    return Twice<n - 1>::Map(a) + Twice<n - 1>::Map(a);
  }
};
template <>
struct Twice<0> {
  template <typename T>
  static T Map(T a) {
    // expected-error@+1 [too-large] {{this rule has more than 20000 operations}}
    return a + a;
  }
};
using bomb = Twice<20>;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<bomb>(in);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
