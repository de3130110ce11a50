// SPDX-License-Identifier: Apache-2.0
// flags: --determinism=everywhere
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct soft {
  static float Map(float a) {
    return expf(a);  // expected-performance [libm-call] {{'expf' is a function of the C library}}
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void OfLibm(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<soft>(in);  // expected-error [determinism] {{rule 'OfLibm' gives the same bits from run to run, but not everywhere: the C library computes 'expf'}}
  // expected-note@-1 {{for --determinism=everywhere, call a function of mshadow::math}}
}
MSHADOW_INSTANTIATE(OfLibm, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void OfBlas(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                           const Tensor<xpu, 2, DType> &b) {
  out = dot(a, b);  // expected-error [determinism] {{rule 'OfBlas' gives the same bits from run to run, but not everywhere: BLAS computes the matrix products}}
  out *= 2.0f;      // expected-note@-1 {{compute the product before the rule and pass it}}
}
MSHADOW_INSTANTIATE(OfBlas, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void OnHost(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                           float s) {
  out = in * powf(s, 3.0f);  // expected-performance [libm-call] {{'powf' is a function of the C library}}
  // expected-error@-1 [determinism] {{rule 'OnHost' gives the same bits from run to run, but not everywhere: the C library computes 'powf'}}
}
MSHADOW_INSTANTIATE(OnHost, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Everywhere(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<op::exp>(in);
}
MSHADOW_INSTANTIATE(Everywhere, float);
}  // namespace errors
