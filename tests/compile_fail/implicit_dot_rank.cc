// SPDX-License-Identifier: Apache-2.0
// expected: implicit_dot takes two matrices
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 1> v;

void Run() {
#ifdef MUST_FAIL
  a = implicit_dot(b, v);
#else
  a = implicit_dot(b, b);
#endif
}
