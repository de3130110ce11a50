// SPDX-License-Identifier: Apache-2.0
// expected: slice takes a tensor, a slice or a concatenation of them
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  a = slice(F<op::identity>(b), Shape2(0, 0), Shape2(1, 1));
#else
  a = slice(b, Shape2(0, 0), Shape2(1, 1));
#endif
}
