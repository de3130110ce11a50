// SPDX-License-Identifier: Apache-2.0
// expected: the destination and the operands of the expression are on different devices
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<gpu, 2> g;

void Run() {
#ifdef MUST_FAIL
  a = g * 2;
#else
  a = b * 2;
#endif
}
