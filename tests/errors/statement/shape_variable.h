// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

inline Shape<2> Turned(Shape<2> shape) { return Shape2(shape[1], shape[0]); }

template <typename xpu, typename DType>
MSHADOW_KERNEL void Unknown(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const Shape<2> turned = Turned(in.shape_);  // expected-error [unsupported-type] {{type 'const Shape<2>' is not supported in a rule}} expected-note {{give it the shape of a tensor, or a computed one, as in 'const Shape<2> shape = Shape2(x.size(1), x.size(0));'}}
  out = reshape(in, turned);
}
MSHADOW_INSTANTIATE(Unknown, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Changed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &in) {
  Shape<2> flat = Shape2(in.size(0), in.size(1) * in.size(2));
  flat[1] = 3;  // expected-error [unsupported-expression] {{}}
  out = reshape(in, flat) * static_cast<float>(flat[2]);  // expected-error [unsupported-expression] {{dimension 2 of a shape is not supported in a rule}}
}
MSHADOW_INSTANTIATE(Changed, float);

/// The advice of the note.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Advised(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &in) {
  const Shape<2> flat = Shape2(in.size(0), in.size(1) * in.size(2));
  const Shape<2> shape = out.shape_;
  out = reshape(in, flat) * static_cast<float>(shape[1] - flat[1]);
}
MSHADOW_INSTANTIATE(Advised, float);
}  // namespace errors
