// SPDX-License-Identifier: Apache-2.0
// expected: the destination is const: assign to a tensor that is not
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

TensorContainer<cpu, 2> a;
const TensorContainer<cpu, 2> c;

void Run() {
#ifdef MUST_FAIL
  c = a + 1.0f;
#else
  a = c + 1.0f;
#endif
}
