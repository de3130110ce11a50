// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Seed(Tensor<xpu, dim, DType> out, double seed) {
  out = random_normal<DType>(out.shape_, seed, 1);  // expected-error [random-key] {{the seed and the sequence of 'random_normal' must be integers, and this is of type double}}
  // expected-note@-1 {{pass integers, as in 'random_normal(in.shape_, seed, step)'}}
}
MSHADOW_INSTANTIATE(Seed, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Sequence(Tensor<xpu, dim, DType> out, int seed, float step) {
  out = random_bernoulli<DType>(out.shape_, 0.5, seed, step + 1.0f);  // expected-error [random-key] {{must be integers, and this is of type float}} expected-note {{pass integers}}
}
MSHADOW_INSTANTIATE(Sequence, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void OfTemporary(Tensor<xpu, 1, DType> out, const Tensor<xpu, 1, DType> &in) {
  Temporary<xpu, 1, DType> twice(in.shape_, in.stream_);
  twice = in + in;
  out = twice * random_uniform<DType>(twice.shape_, 1, 2);  // expected-error [view] {{the shape of a temporary cannot be part of a view}} expected-note {{a view is made of}}
}
MSHADOW_INSTANTIATE(OfTemporary, float);

}  // namespace errors
