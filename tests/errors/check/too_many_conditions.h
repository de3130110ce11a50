// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in, bool a,
                         bool b, bool c, bool d, bool e) {
  if (a) out += in;
  if (b) out -= in;
  if (c) out *= in;
  if (d) out /= in;
  if (e) out += 1.0f;  // expected-error [too-many-conditions] {{rule 'Rule' has 5 scalar conditions around statements; at most 4 are supported}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
