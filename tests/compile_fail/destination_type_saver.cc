// SPDX-License-Identifier: Apache-2.0
// expected: the destination and the expression have different element types
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2, half::half_t> h;

void Run() {
#ifdef MUST_FAIL
  h += a;
#else
  h += tcast<half::half_t>(a);
#endif
}
