// SPDX-License-Identifier: Apache-2.0
// expected: the destination is const: assign to a tensor that is not
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
const Tensor<cpu, 2> c = a;

void Run() {
#ifdef MUST_FAIL
  c *= 2.0f;
#else
  a *= 2.0f;
#endif
}
