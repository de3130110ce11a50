// SPDX-License-Identifier: Apache-2.0
// expected: dot has no product of these ranks
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 1> v;

void Run() {
#ifdef MUST_FAIL
  v = dot(a, b);
#else
  v = dot(v, a);
#endif
}
