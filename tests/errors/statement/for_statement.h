// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>

#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in, int n) {
  for (int i = 0; i < n; ++i) {  // expected-error [loop] {{mshadow-gen cannot count the iterations of this loop in a rule}} expected-note {{let an integer count from a constant to a constant, as in 'for (int i = 0; i < 3; ++i)'}} expected-note {{a loop over elements is a formula of one element, as in 'out = a * b + c;': mshadow-gen writes the loop}}
    out = in * 2.0f;
  }
  for (index_t i = 0; i < in.size(0); ++i) out += in;  // expected-error [loop] {{mshadow-gen cannot count the iterations of this loop in a rule}}
  for (int i = 0; i < 3; ++i) {
    out += static_cast<float>(i) * in;
    out *= static_cast<float>(in.size(i));  // expected-error [unsupported-expression] {{a dimension that is not a constant is not supported in a rule}}
  }
  for (float f : {1.0f, 2.0f}) out += f * in;  // expected-error [loop] {{mshadow-gen cannot count the iterations of this loop in a rule}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
