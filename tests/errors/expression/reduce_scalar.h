// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Named(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const DType total = reduce_scalar<red::sum>(in);  // expected-error [reduction] {{reduce_scalar is not supported in a rule}} expected-note {{write 'one = reduce_all<red::sum>(...);', where one is a vector of one element, as in 'Temporary<xpu, 1, DType> one(Shape1(1));', and read it as 'broadcast_scalar(one, x.shape_)'}}
  out = in / total;
}
MSHADOW_INSTANTIATE(Named, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Within(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = in / reduce_scalar<red::maximum>(in);  // expected-error [reduction] {{reduce_scalar is not supported in a rule}} expected-note {{reduce_all<red::maximum>}}
}
MSHADOW_INSTANTIATE(Within, float);

/// The advice of the note.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Advised(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  Temporary<xpu, 1, DType> one(Shape1(1));
  one = reduce_all<red::sum>(in);
  out = in / broadcast_scalar(one, in.shape_);
}
MSHADOW_INSTANTIATE(Advised, float);
}  // namespace errors
