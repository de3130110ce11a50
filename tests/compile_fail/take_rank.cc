// SPDX-License-Identifier: Apache-2.0
// expected: take takes a vector of indices and a matrix
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 1, int> chosen;

void Run() {
#ifdef MUST_FAIL
  a = take(b, b);
#else
  a = take(chosen, b);
#endif
}
