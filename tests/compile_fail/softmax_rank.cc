// SPDX-License-Identifier: Apache-2.0
// expected: Softmax takes two matrices (rows, classes) or two tensors of rank 3
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 1> v;

void Run() {
#ifdef MUST_FAIL
  Softmax(v, v);
#else
  Softmax(a, b);
#endif
}
