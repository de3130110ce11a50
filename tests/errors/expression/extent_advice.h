// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// The advice names the dimension that is counted.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Vector(Tensor<xpu, 1, DType> out, const Tensor<xpu, 1, DType> &in, int n) {
  out = in + range<DType>(0, n);  // expected-error [extent] {{the extent of 'range'}} expected-note {{write range<float>(0, out.size(0))}}
}
MSHADOW_INSTANTIATE(Vector, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rows(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in, int n) {
  out = in + broadcast<0>(range<DType>(0, n), in.shape_);  // expected-error [extent] {{the extent of 'range'}} expected-note {{write range<float>(0, out.size(0))}}
}
MSHADOW_INSTANTIATE(Rows, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Last(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in, int n) {
  out = in + broadcast<2>(range<DType>(0, n), in.shape_);  // expected-error [extent] {{the extent of 'range'}} expected-note {{write range<float>(0, out.size(2))}}
}
MSHADOW_INSTANTIATE(Last, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Advised(Tensor<xpu, 1, DType> v, Tensor<xpu, 2, DType> m,
                            Tensor<xpu, 3, DType> t) {
  v += range<DType>(0, v.size(0));
  MSHADOW_STAGE();
  m += broadcast<0>(range<DType>(0, m.size(0)), m.shape_);
  MSHADOW_STAGE();
  t += broadcast<2>(range<DType>(0, t.size(2)), t.shape_);
}
MSHADOW_INSTANTIATE(Advised, float);
}  // namespace errors
