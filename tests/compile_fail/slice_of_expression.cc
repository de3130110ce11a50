// SPDX-License-Identifier: Apache-2.0
// expected: slice takes a tensor, a slice or a concatenation of them
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  a = slice<1>(b + 1.0f, 0, 1);
#else
  a = slice<1>(slice<0>(b, 0, 2), 0, 1);
#endif
}
