// SPDX-License-Identifier: Apache-2.0
// expected: concat: the tensors have different ranks
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 3> c;

void Run() {
#ifdef MUST_FAIL
  a = concat<1>(b, c);
#else
  a = concat<1>(b, c[0]);
#endif
}
