// SPDX-License-Identifier: Apache-2.0
// expected: broadcast_scalar takes an expression of rank 1
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 1> v;

void Run() {
#ifdef MUST_FAIL
  a = broadcast_scalar(b, a.shape_);
#else
  a = broadcast_scalar(v, a.shape_);
#endif
}
