// SPDX-License-Identifier: Apache-2.0
// expected: the expression has no such dimension
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 1> v;

void Run() {
#ifdef MUST_FAIL
  v = sumall_except_dim<2>(a);
#else
  v = sumall_except_dim<1>(a);
#endif
}
