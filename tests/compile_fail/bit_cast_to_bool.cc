// SPDX-License-Identifier: Apache-2.0
// expected: bit_cast<DType>(e) takes and gives no bool
#include <mshadow/kernel.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2, bool> a;
Tensor<cpu, 2, uint8_t> b;

void Run() {
#ifdef MUST_FAIL
  a = bit_cast<bool>(b);
#else
  a = tcast<bool>(b);
#endif
}
