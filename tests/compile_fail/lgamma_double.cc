// SPDX-License-Identifier: Apache-2.0
// expected: lgamma takes float, half_t or bf16_t: cast the argument to float
#include <mshadow/tensor.h>

#include <mshadow/expr/op_extra.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2, double> b;

void Run() {
#ifdef MUST_FAIL
  b = F<op::lgamma>(b);
#else
  a = F<op::lgamma>(a);
#endif
}
