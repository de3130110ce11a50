// SPDX-License-Identifier: Apache-2.0
// expected: dot takes tensors and their .T()
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
