// SPDX-License-Identifier: Apache-2.0
// expected: the destination and the operands of the expression are on different devices
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Tensor<cpu, 1, int> chosen;
Tensor<gpu, 1, int> gpu_chosen;

void Run() {
#ifdef MUST_FAIL
  a = take(gpu_chosen, b);
#else
  a = take(chosen, b);
#endif
}
