// SPDX-License-Identifier: Apache-2.0
// expected: the destination and the expression have different ranks
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 3> c;

void Run() {
#ifdef MUST_FAIL
  a = c * 2;
#else
  a = c.FlatTo2D() * 2;
#endif
}
