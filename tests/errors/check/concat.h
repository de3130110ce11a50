// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void ReadBack(Tensor<xpu, 2, DType> a, Tensor<xpu, 2, DType> b,
                             const Tensor<xpu, 2, DType> &in) {
  concat<1>(a, b) = in * a;  // expected-error [shifted-read] {{this rule writes 'a' and reads it through a view}}
  concat<1>(a, b) = in - b;  // expected-error [shifted-read] {{this rule writes 'b' and reads it through a view}}
}
MSHADOW_INSTANTIATE(ReadBack, float);
}  // namespace errors
