// SPDX-License-Identifier: Apache-2.0
// expected: Random<Device, DType> draws numbers of DType
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Random<cpu> generator(1);
Tensor<cpu, 2> a;
Tensor<cpu, 2, double> d;

void Run() {
#ifdef MUST_FAIL
  generator.SampleUniform(&d, 0, 1);
#else
  generator.SampleUniform(&a, 0, 1);
#endif
}
