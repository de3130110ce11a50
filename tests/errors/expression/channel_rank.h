// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Matrix(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = chpool<red::sum>(in, 3);  // expected-error [cxx] {{chpool takes an expression of rank 3 or more}}
}
MSHADOW_INSTANTIATE(Matrix, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Vectors(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                            const Tensor<xpu, 1, DType> &v) {
  auto sums = ch_unpool<red::sum>(v, v, v, 3);  // expected-error [cxx] {{ch_unpool takes an expression of rank 3 or more}}
  out = in * broadcast<dim - 1>(sums, in.shape_);
}
MSHADOW_INSTANTIATE(Vectors, float);
}  // namespace errors
