// SPDX-License-Identifier: Apache-2.0
// expected: a product can be assigned with =, += and -= only
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  a *= dot(b, b);
#else
  a -= dot(b, b);
#endif
}
