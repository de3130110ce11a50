// SPDX-License-Identifier: Apache-2.0
// expected: a string is not a number
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  a = F<op::plus>("a", 1);
#else
  a = F<op::plus>(b, 1);
#endif
}
