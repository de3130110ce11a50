// SPDX-License-Identifier: Apache-2.0
// expected: an expression's own check of its operands failed
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

void Run() {
#ifdef MUST_FAIL
  TypeCheckPass<ExpInfo<Tensor<cpu, 2>>::kDim == 3>::Error_Expression_Does_Not_Meet_Dimension_Req();
#else
  TypeCheckPass<ExpInfo<Tensor<cpu, 2>>::kDim == 2>::Error_Expression_Does_Not_Meet_Dimension_Req();
#endif
}
