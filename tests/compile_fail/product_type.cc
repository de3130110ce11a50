// SPDX-License-Identifier: Apache-2.0
// expected: dot needs tensors of float or double
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2, double> d;
Tensor<cpu, 2, half::half_t> h;

void Run() {
#ifdef MUST_FAIL
  h = dot(h, h);
#else
  d = dot(d, d);
#endif
}
