// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Computed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &in) {
  const Shape<2> flat = Shape2(in.size(0), in.size(1) * in.size(2));  // expected-error [unsupported-type] {{type 'const Shape<2>' is not supported in a rule}} expected-note {{a rule does not store a shape that it computes: write 'Shape2(...)' where it is used, and give names to its extents, as in 'const index_t rows = x.size(0);'}}
  out = reshape(in, flat);
}
MSHADOW_INSTANTIATE(Computed, float);

/// The advice of the note; and a tensor's shape may have a name.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Advised(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &in) {
  const index_t columns = in.size(1) * in.size(2);
  const Shape<2> shape = out.shape_;
  out = reshape(in, Shape2(in.size(0), columns)) * static_cast<float>(shape[1]);
}
MSHADOW_INSTANTIATE(Advised, float);
}  // namespace errors
