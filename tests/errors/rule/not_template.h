// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

// expected-error@+1 [not-template] {{rule 'Rule' is not a template}}
MSHADOW_KERNEL void Rule(Tensor<cpu, 2, float> out) { out = 1.0f; }
}  // namespace errors
