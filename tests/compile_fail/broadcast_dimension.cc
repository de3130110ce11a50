// SPDX-License-Identifier: Apache-2.0
// expected: the shape has no such dimension
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 1> v;

void Run() {
#ifdef MUST_FAIL
  a = broadcast<2>(v, a.shape_);
#else
  a = broadcast<0>(v, a.shape_);
#endif
}
