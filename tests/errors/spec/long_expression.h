// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// Each of the inner levels is ten times the one below it.
#define TEN(x) x + x + x + x + x + x + x + x + x + x
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = TEN(TEN(TEN(in))) + TEN(TEN(TEN(TEN(in))));  // expected-error [too-large] {{this expression has more than 1000 operators and calls (the limit)}}
}
MSHADOW_INSTANTIATE(Rule, float);

/// A list is no expression.
#define LIST(x) x, x, x, x, x, x, x, x, x, x
constexpr int kList[] = {LIST(LIST(LIST(LIST(-1))))};
}  // namespace errors
