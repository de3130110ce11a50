// SPDX-License-Identifier: Apache-2.0
// expected: write OP::Map(number)
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  a = b + F<op::identity>(2.0f);
#else
  a = b + F<op::identity>(b);
#endif
}
