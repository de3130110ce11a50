// SPDX-License-Identifier: Apache-2.0
// expected: rules take tensors of at most 8 dimensions
#include <mshadow/emitted/launch.h>
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;

void Run() {
#ifdef MUST_FAIL
  static_cast<void>(Arg(Tensor<cpu, 9>()));
#else
  static_cast<void>(Arg(a));
#endif
}
