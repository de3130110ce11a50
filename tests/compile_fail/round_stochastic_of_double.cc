// SPDX-License-Identifier: Apache-2.0
// expected: round_stochastic<DType>(e, u) takes two expressions of float
#include <mshadow/kernel.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2, int8_t> a;
Tensor<cpu, 2, double> b;

void Run() {
#ifdef MUST_FAIL
  a = round_stochastic<int8_t>(b, random_uniform<float>(b.shape_, 1, 2));
#else
  a = round_stochastic<int8_t>(tcast<float>(b), random_uniform<float>(b.shape_, 1, 2));
#endif
}
