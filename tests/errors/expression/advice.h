// SPDX-License-Identifier: Apache-2.0
#pragma once  // which warns of nothing
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// Notes are of the rule's own names.
template <typename xpu, typename Real>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, Real> y, const Tensor<xpu, 2, Real> &x,
                         const Tensor<xpu, 1, Real> &gain, const Tensor<xpu, 1, Real> &label,
                         int n) {
  Temporary<xpu, 1, Real> mean(Shape1(n), x.stream_);  // expected-error [temporary-shape] {{the shape of temporary 'mean'}}
  // expected-note@-1 {{declare it as 'mean(Shape1(y.size(0)), gain.stream_)'}}
  y = x * broadcast<1>(gain, Shape2(n, 3));  // expected-error [broadcast-shape] {{the shape that 'broadcast'}}
  // expected-note@-1 {{write 'broadcast<1>(gain, y.shape_)'}}
  y = x * repmat(gain, n);  // expected-error [broadcast-shape] {{the shape that 'repmat'}}
  // expected-note@-1 {{write 'repmat(gain, y.size(0))'}}
  y = x - one_hot_encode<Real>(label, n);  // expected-error [extent] {{the extent of 'one_hot_encode'}}
  // expected-note@-1 {{write one_hot_encode<Real>(label, y.size(1))}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
