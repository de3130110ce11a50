// SPDX-License-Identifier: Apache-2.0
// expected: assign the product or reduction to a tensor first
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 1> v;

void Run() {
#ifdef MUST_FAIL
  v = sum_rows(dot(a, b));
#else
  v = sum_rows(a);
#endif
}
