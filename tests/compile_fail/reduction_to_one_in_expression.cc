// SPDX-License-Identifier: Apache-2.0
// expected: a product or a reduction stands alone on the right
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> b;
Tensor<cpu, 1> v;

void Run() {
#ifdef MUST_FAIL
  v = reduce_all<red::sum>(b) + 1;
#else
  v = reduce_all<red::sum>(b);
#endif
}
