// SPDX-License-Identifier: Apache-2.0
// expected: Copy: the tensors have different ranks
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 3> c;

void Run() {
#ifdef MUST_FAIL
  Copy(a, c);
#else
  Copy(a, c[0]);
#endif
}
