// SPDX-License-Identifier: Apache-2.0
// expected: slice<d>: the source has no such dimension
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  a = slice<2>(b, 0, 1);
#else
  a = slice<1>(b, 0, 1);
#endif
}
