// SPDX-License-Identifier: Apache-2.0
// expected: pool takes an expression of rank 2 or more
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 1> v;

void Run() {
#ifdef MUST_FAIL
  v = pool<red::sum>(v, 2, 2, 1);
#else
  a = pool<red::sum>(b, 2, 2, 1);
#endif
}
