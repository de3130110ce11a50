// SPDX-License-Identifier: Apache-2.0
// expected: dot has no product of this element type
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<gpu, 2, half::half_t> h;
Tensor<gpu, 2, int> i;

void Run() {
#ifdef MUST_FAIL
  i = dot(i, i);
#else
  h = dot(h, h);
#endif
}
