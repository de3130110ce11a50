// SPDX-License-Identifier: Apache-2.0
// expected: the operands have different element types: convert one of them with tcast<DType>
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 2, double> d;

void Run() {
#ifdef MUST_FAIL
  a = dot(b.T(), d);
#else
  a = dot(b.T(), a);
#endif
}
