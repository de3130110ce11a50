// SPDX-License-Identifier: Apache-2.0
// Rows added to those that indices name, between kernels: what they add and what they add to.
#include <mshadow/kernel.h>

namespace scatter_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// A kernel computes the rows, and another one reads the sums.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Step(Tensor<xpu, 2, DType> weight, const Tensor<xpu, 2, DType> &grad,
                         const Tensor<xpu, 1, IType> &index, float lr) {
  Temporary<xpu, 2, DType> sums(weight.shape_, weight.stream_);
  Temporary<xpu, 2, DType> rows(grad.shape_, weight.stream_);
  sums = 0.0f;
  rows = DType(lr) * grad;
  AddTakeGrad(sums, index, rows);
  weight -= sums;
}
MSHADOW_INSTANTIATE(Step, Types<float, int64_t>, Types<double, float>, Types<half::half_t, int32_t>,
                    Types<bfloat::bf16_t, uint8_t>, Types<int32_t, int64_t>);

/// In a branch, modulo the rows, and to what is there.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Choose(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> sums,
                           const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, int32_t> &index,
                           bool wraps, bool adds) {
  out = F<op::tanh>(in);
  if (wraps) {
    AddTakeGrad<false>(out, index, in);
  } else if (adds) {
    AddTakeGrad(out, index, in);
  }
  sums = sumall_except_dim<0>(out);
}
MSHADOW_INSTANTIATE(Choose, float);

/// Indices that the rule computes.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Count(Tensor<xpu, 2, DType> sums, Tensor<xpu, 2, DType> out,
                          const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> best(Shape1(in.size(0)), in.stream_);
  best = reduce_except_dim<0, red::argmax>(in);
  AddTakeGrad(sums, best, in);
  out = sums - broadcast<0>(best, in.shape_);
}
MSHADOW_INSTANTIATE(Count, float);

/// Some rows to others of the same matrix, by some of the indices.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Halves(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, int32_t> &index) {
  const index_t half = out.size(0) / 2, end = 2 * half;
  out.Slice(0, half) *= 2.0f;
  AddTakeGrad(out.Slice(0, half), index.Slice(0, half), out.Slice(half, end));
  out.Slice(0, half) += 1.0f;
}
MSHADOW_INSTANTIATE(Halves, float, double);

}  // namespace scatter_rules
