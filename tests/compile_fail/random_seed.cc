// SPDX-License-Identifier: Apache-2.0
// expected: the seed and the sequence of random numbers must be integers
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;

void Run(float seed) {
#ifdef MUST_FAIL
  a = random_uniform<float>(a.shape_, seed, 1);
#else
  a = random_uniform<float>(a.shape_, static_cast<int>(seed), 1);
#endif
}
