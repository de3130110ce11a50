// SPDX-License-Identifier: Apache-2.0
// expected: rows takes a matrix and a vector of indices, both tensors of one device
#include <mshadow/extension/rows.h>
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> m;
Tensor<cpu, 2> t;

void Run(Tensor<cpu, 1, int> at) {
#ifdef MUST_FAIL
  t = rows(m * 2, at);
#else
  t = rows(m, at);
#endif
}
