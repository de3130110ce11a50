// SPDX-License-Identifier: Apache-2.0
// expected: unpack_patch2col takes an expression of rank 3 or more
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 3> u;

void Run() {
#ifdef MUST_FAIL
  a = unpack_patch2col(b, 2, 2, 1);
#else
  a = unpack_patch2col(u, 2, 2, 1);
#endif
}
