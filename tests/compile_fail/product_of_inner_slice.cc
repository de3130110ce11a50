// SPDX-License-Identifier: Apache-2.0
// expected: slices of tensors along the first or
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 3> a;
Tensor<cpu, 3> b;

void Run() {
#ifdef MUST_FAIL
  a = batch_dot(slice<1>(a, 0, 1), b);
#else
  a = batch_dot(slice<2>(a, 0, 1), b);
#endif
}
