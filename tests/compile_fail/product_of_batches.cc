// SPDX-License-Identifier: Apache-2.0
// expected: dot takes matrices and vectors; batch_dot takes tensors of rank 3
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 3> a;

void Run() {
#ifdef MUST_FAIL
  a = dot(a, a);
#else
  a = batch_dot<true, false>(a, a);
#endif
}
