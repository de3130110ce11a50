// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, int8_t> out, const Tensor<xpu, dim, DType> &in) {
  out = round_stochastic<int8_t>(in, random_uniform<float>(in.shape_, 1, 2));  // expected-error [cxx] {{takes two expressions of float: write tcast<float>(e)}}
}
MSHADOW_INSTANTIATE(Rule, double);

}  // namespace errors
