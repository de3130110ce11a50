// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// Advice that loses no digits.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void NarrowFirst(Tensor<xpu, dim, float> out, Tensor<xpu, dim, DType> narrow,
                                const Tensor<xpu, dim, DType> &x,
                                const Tensor<xpu, dim, float> &wide,
                                const Tensor<xpu, dim, double> &widest,
                                const Tensor<xpu, dim, half::half_t> &half,
                                const Tensor<xpu, dim, int32_t> &count) {
  out = x - wide;  // expected-error [mixed-types] {{element types bf16_t and float are mixed}} expected-note {{convert one side with tcast<float>(...)}}
  out = F<op::maximum>(x, wide);  // expected-error [mixed-types] {{element types bf16_t and float are mixed}} expected-note {{convert one side with tcast<float>(...)}}
  out = tcast<float>(wide * widest);  // expected-error [mixed-types] {{element types float and double are mixed}} expected-note {{convert one side with tcast<double>(...)}}
  out = tcast<float>(x * half);  // expected-error [mixed-types] {{element types bf16_t and half_t are mixed}} expected-note {{convert both sides with tcast<float>(...)}}
  out = count + wide;  // expected-error [mixed-types] {{element types int and float are mixed}} expected-note {{convert one side with tcast<float>(...)}}
  narrow -= wide;  // expected-error [mixed-types] {{element types bf16_t and float are mixed}} expected-note {{compute in float, and convert the result to bf16_t: 'x = tcast<bf16_t>(tcast<float>(x) - ...)'}}
  narrow = wide * 2.0f;  // expected-error [mixed-types] {{element types bf16_t and float are mixed}} expected-note {{convert one side with tcast<bf16_t>(...)}}
  out -= x * 2.0f;  // expected-error [mixed-types] {{element types float and bf16_t are mixed}} expected-note {{convert one side with tcast<float>(...)}}
}
MSHADOW_INSTANTIATE(NarrowFirst, bfloat::bf16_t);
}  // namespace errors
