// SPDX-License-Identifier: Apache-2.0
// expected: the operands have different element types: convert one of them with tcast<DType>
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

struct pick {
  template <typename T>
  static T Map(T c, T x, T y) {
    return c > T(0) ? x : y;
  }
};

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 2, double> d;

void Run() {
#ifdef MUST_FAIL
  a = F<pick>(b, a, d);
#else
  a = F<pick>(b, a, tcast<float>(d));
#endif
}
