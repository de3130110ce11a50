// SPDX-License-Identifier: Apache-2.0
// expected: concat: the tensors are on different devices
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<gpu, 2> d;

void Run() {
#ifdef MUST_FAIL
  a = concat<1>(b, d);
#else
  a = concat<1>(b, b);
#endif
}
