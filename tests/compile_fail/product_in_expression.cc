// SPDX-License-Identifier: Apache-2.0
// expected: a product or a reduction stands alone on the right
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  a = dot(b, b) + 1;
#else
  a = dot(b, b);
  a += 1;
#endif
}
