// SPDX-License-Identifier: Apache-2.0
// expected: no matching function for call to
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  a = dot(a + b, b);
#else
  a = dot(a, b);
#endif
}
