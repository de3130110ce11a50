// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out);  // expected-error [no-body] {{rule 'Rule' is declared but has no body}} expected-note {{define 'Rule' in this spec, or in a header that the spec includes}}
}  // namespace errors
