// SPDX-License-Identifier: Apache-2.0
// expected: assign the product or reduction to a tensor first
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  a = mirror(dot(b, b));
#else
  a = mirror(b);
#endif
}
