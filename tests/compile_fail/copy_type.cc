// SPDX-License-Identifier: Apache-2.0
// expected: Copy: the tensors have different element types: write dst = tcast<DType>(src)
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 2, double> d;

void Run() {
#ifdef MUST_FAIL
  Copy(a, d);
#else
  Copy(a, b);
#endif
}
