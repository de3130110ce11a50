// SPDX-License-Identifier: Apache-2.0
// expected: the operands of the expression have different ranks
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 1> v;

void Run() {
#ifdef MUST_FAIL
  a = b + v;
#else
  a = b + repmat(v, 3);
#endif
}
