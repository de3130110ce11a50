// SPDX-License-Identifier: Apache-2.0
// expected: crop takes an expression of rank 2 or more
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 1> v;

void Run() {
#ifdef MUST_FAIL
  v = crop(v, Shape2(1, 1));
#else
  a = crop(b, Shape2(1, 1));
#endif
}
