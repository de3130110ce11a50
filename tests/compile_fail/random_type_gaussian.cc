// SPDX-License-Identifier: Apache-2.0
// expected: Random<Device, DType> draws numbers of DType
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Random<cpu, double> generator(1);
Tensor<cpu, 1> a;
TensorContainer<cpu, 1, double> d;

void Run() {
#ifdef MUST_FAIL
  generator.SampleGaussian(&a);
#else
  generator.SampleGaussian(&d);
#endif
}
