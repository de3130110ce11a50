// SPDX-License-Identifier: Apache-2.0
// expected: sum_rows takes a matrix
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 1> v;
Tensor<cpu, 3> c;

void Run() {
#ifdef MUST_FAIL
  v = sum_rows(c);
#else
  v = sum_rows(a);
#endif
}
