// SPDX-License-Identifier: Apache-2.0
// expected: only matrices and vectors have a transpose
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 3> c;

void Run() {
#ifdef MUST_FAIL
  a = c.T();
#else
  a = c.FlatTo2D().T();
#endif
}
