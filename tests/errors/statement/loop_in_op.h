// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// The number of iterations is another one for each element.
struct halvings {
  template <typename T>
  static T Map(T a) {
    T n = T(0);
    for (; a > T(1); a = a / T(2)) n += T(1);  // expected-error [loop] {{mshadow-gen cannot count the iterations of this loop in an operator or function}} expected-note {{let an integer count from a constant to a constant, as in 'for (int i = 0; i < 3; ++i)'}}
    return n;
  }
};

struct until_three {
  template <typename T>
  static T Map(T a) {
    for (int i = 0; i < 4; ++i) {
      if (a > T(3)) break;  // expected-error [unsupported-statement] {{break is not supported in an operator or function}} expected-note {{the condition around it is not known when the kernel is generated: let the loop go on, and keep the old value, as in 'x = done ? x : next;'}}
      a = a * T(2);
    }
    return a;
  }
};

struct endless {
  template <typename T>
  static T Map(T a) {
    for (;;) a = a * T(2);  // expected-error [too-large] {{including the operators that it calls, this rule has more than 20000 operations (the limit)}}
    return a;
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<halvings>(in);
  out = F<until_three>(in);
  out = F<endless>(in);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
