// SPDX-License-Identifier: Apache-2.0
// expected: the destination is const: assign to a tensor that is not
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  const auto columns = slice<1>(a, 0, 1);
  columns = 1.0f;
#else
  auto columns = slice<1>(a, 0, 1);
  columns = 1.0f;
#endif
}
