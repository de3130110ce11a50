// SPDX-License-Identifier: Apache-2.0
// expected: reduce_with_axis takes an expression of rank 2 or more
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> b;
Tensor<cpu, 1> v;

void Run() {
#ifdef MUST_FAIL
  v = reduce_with_axis<red::sum, false>(v, 0);
#else
  v = reduce_with_axis<red::sum, false>(b, 0);
#endif
}
