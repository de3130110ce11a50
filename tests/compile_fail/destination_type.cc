// SPDX-License-Identifier: Apache-2.0
// expected: the destination and the expression have different element types: write dst =
// tcast<DType>(expression)
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2, double> d;

void Run() {
#ifdef MUST_FAIL
  a = d * 2;
#else
  a = tcast<float>(d * 2);
#endif
}
