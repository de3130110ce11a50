// SPDX-License-Identifier: Apache-2.0
// Rules for lists on a GPU: a condition, a scalar in memory, columns, stages, a product.
#ifndef TESTS_CUDA_LIST_RULES_H_
#define TESTS_CUDA_LIST_RULES_H_

#include <mshadow/kernel.h>

namespace list_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// A step, in a direction whose elements may be clipped.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Step(Tensor<xpu, dim, DType> weight, const Tensor<xpu, dim, DType> &grad,
                         float lr = 0.1f, bool clip = false) {
  if (clip) {
    weight -= lr * F<op::minimum>(grad, DType(0.25f));
  } else {
    weight -= lr * grad;
  }
}
MSHADOW_INSTANTIATE(Step, float);

/// A step whose length lies in memory.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void StepByTensor(Tensor<xpu, dim, DType> weight,
                                 const Tensor<xpu, dim, DType> &grad,
                                 const Tensor<xpu, 1, DType> &lr) {
  weight -= broadcast_scalar(lr, weight.shape_) * grad;
}
MSHADOW_INSTANTIATE(StepByTensor, float);

/// Subtracts from each column its sum.
template <typename xpu, typename DType>
MSHADOW_KERNEL void CentreColumns(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                  float scale) {
  Temporary<xpu, 1, DType> total(Shape1(in.size(1)), in.stream_);
  total = sum_rows(in * scale);
  out = in - broadcast<1>(total, in.shape_);
}
MSHADOW_INSTANTIATE(CentreColumns, float);

/// Several stages, with memory between them.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ScaleByNorms(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                 float power = 1.0f) {
  Temporary<xpu, 1, DType> columns(Shape1(in.size(1)), in.stream_);
  Temporary<xpu, 1, DType> rows(Shape1(in.size(0)), in.stream_);
  columns = sum_rows(in * power);
  MSHADOW_STAGE();
  rows = sumall_except_dim<0>(in * in);
  MSHADOW_STAGE();
  out += broadcast<1>(columns, in.shape_) + broadcast<0>(rows, in.shape_);
}
MSHADOW_INSTANTIATE(ScaleByNorms, float);

/// Rows that indices name, and a copy of them.
template <typename xpu, typename DType>
MSHADOW_KERNEL void StepOfRows(Tensor<xpu, 2, DType> weight, Tensor<xpu, 2, DType> out,
                               const Tensor<xpu, 2, DType> &grad,
                               const Tensor<xpu, 1, int32_t> &index, float lr = 0.5f) {
  auto w = rows(weight, index);
  w -= lr * grad;
  out = 2.0f * w;
}
MSHADOW_INSTANTIATE(StepOfRows, float);

/// An element of each of these rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void PickFromRows(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &weight,
                                 const Tensor<xpu, 1, int32_t> &index,
                                 const Tensor<xpu, 1, int32_t> &column) {
  out = mat_choose_row_element(rows(weight, index), column);
}
MSHADOW_INSTANTIATE(PickFromRows, float);

/// A matrix product, and elements afterwards.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Product(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                            const Tensor<xpu, 2, DType> &weight, float scale) {
  Temporary<xpu, 2, DType> product(out.shape_, out.stream_);
  product = dot(in, weight.T());
  out += product * scale;
}
MSHADOW_INSTANTIATE(Product, float);

}  // namespace list_rules

#endif  // TESTS_CUDA_LIST_RULES_H_
