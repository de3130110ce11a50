// SPDX-License-Identifier: Apache-2.0
// expected: bit_cast<DType>(e) needs a DType with as many bits as the elements of e
#include <mshadow/kernel.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2, int32_t> a;
Tensor<cpu, 2, float> b;
Tensor<cpu, 2, double> c;

void Run() {
#ifdef MUST_FAIL
  a = bit_cast<int32_t>(c);
#else
  a = bit_cast<int32_t>(b);
#endif
}
