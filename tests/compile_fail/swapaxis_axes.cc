// SPDX-License-Identifier: Apache-2.0
// expected: swapaxis<a1, a2> needs two dimensions of the expression, and a1 > a2
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  a = swapaxis<0, 1>(b);
#else
  a = swapaxis<1, 0>(b);
#endif
}
