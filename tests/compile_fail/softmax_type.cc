// SPDX-License-Identifier: Apache-2.0
// expected: Softmax: the tensors have different element types
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 3> a;
Tensor<cpu, 3> b;
Tensor<cpu, 3, double> c;

void Run() {
#ifdef MUST_FAIL
  Softmax(a, c);
#else
  Softmax(a, b);
#endif
}
