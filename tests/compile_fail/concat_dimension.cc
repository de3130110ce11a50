// SPDX-License-Identifier: Apache-2.0
// expected: concat<d>: the tensors have no such dimension
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  a = concat<2>(b, b);
#else
  a = concat<1>(b, b);
#endif
}
