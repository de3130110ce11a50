// SPDX-License-Identifier: Apache-2.0
// expected: chpool takes an expression of rank 3 or more
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 3> t;
Tensor<cpu, 3> u;

void Run() {
#ifdef MUST_FAIL
  a = chpool<red::sum>(b, 3);
#else
  t = chpool<red::sum>(u, 3);
#endif
}
