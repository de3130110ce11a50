// SPDX-License-Identifier: Apache-2.0
// expected: in a lambda that captured it by value, write mutable
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  [a = a]() { a += b; }();
#else
  [a = a]() mutable { a += b; }();
#endif
}
