// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct second {
  template <typename T>
  MSHADOW_XINLINE static T Map(T, T b) {
    return b;
  }
};

template <typename xpu, typename DType>
MSHADOW_KERNEL void OneValue(Tensor<xpu, 1, DType> sum, const Tensor<xpu, 1, DType> &one,
                             const Tensor<xpu, 2, DType> &like) {
  sum = reduce_all<red::sum>(broadcast_scalar(one, like.shape_));  // expected-error [repeated-values] {{this reduction reads no elements of a tensor, only values that it repeats}}
  // expected-note@-1 {{assign what it reduces to a Temporary of the repeated shape first, and reduce the Temporary}}
}
MSHADOW_INSTANTIATE(OneValue, float);

// The rows of `in` need not be those of `out`, whose kernel therefore cannot reduce their values.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void BesideATensor(Tensor<xpu, dim, DType> out, Tensor<xpu, 1, DType> sum,
                                  const Tensor<xpu, dim, DType> &in) {
  auto rows = reduce_keepdim<red::sum, false>(in, dim - 1);
  sum = reduce_all<red::sum>(broadcast_keepdim(rows, dim - 1, out.size(dim - 1)));  // expected-error [repeated-values] {{this reduction reads no elements of a tensor}}
  out *= 2.0f;
}
MSHADOW_INSTANTIATE(BesideATensor, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Ignored(Tensor<xpu, dim, DType> out, Tensor<xpu, 1, DType> sum,
                            const Tensor<xpu, dim, DType> &in, DType count) {
  auto rows = reduce_keepdim<red::sum, false>(in, dim - 1);
  sum = reduce_all<red::sum>(F<second>(broadcast_keepdim(rows, dim - 1, out.size(dim - 1)), count));  // expected-error [repeated-values] {{this reduction reads no elements of a tensor}}
  out *= 2.0f;
}
MSHADOW_INSTANTIATE(Ignored, float);
}  // namespace errors
