// SPDX-License-Identifier: Apache-2.0
// expected: dot has no product of this element type
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2, double> d;
Tensor<cpu, 2, bool> h;

void Run() {
#ifdef MUST_FAIL
  h = dot(h, h);
#else
  d = dot(d, d);
#endif
}
