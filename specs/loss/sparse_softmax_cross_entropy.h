// SPDX-License-Identifier: Apache-2.0
/// \file sparse_softmax_cross_entropy.h
/// The cross entropy of a softmax for labels that are numbers of classes: no one-hot matrix is
/// stored or read.
#ifndef SPECS_LOSS_SPARSE_SOFTMAX_CROSS_ENTROPY_H_
#define SPECS_LOSS_SPARSE_SOFTMAX_CROSS_ENTROPY_H_

#include <mshadow/kernel.h>

namespace loss {
using namespace mshadow;
using namespace mshadow::expr;

/// Cross entropy of a softmax: l = -log(softmax(x)_c) of each row, c being its class, computed as
/// log(sum e^x) - x_c; the bits of SoftmaxCrossEntropy with one-hot labels. Bridle 1990.
/// \param loss one value per sample
/// \param in inputs of the softmax, one row per sample
/// \param label number of each sample's class, from 0; on the CPU another one is an error
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void SparseSoftmaxCrossEntropy(Tensor<xpu, 1, float> loss,
                                              const Tensor<xpu, 2, DType> &in,
                                              const Tensor<xpu, 1, IType> &label) {
  Temporary<xpu, 1, float> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  auto x = tcast<float>(in);
  top = reduce_except_dim<0, red::maximum>(x);
  total = sumall_except_dim<0>(F<op::exp>(x - broadcast<0>(top, in.shape_)));
  loss = F<op::log>(total) - (mat_choose_row_element(x, label) - top);
}
MSHADOW_INSTANTIATE(SparseSoftmaxCrossEntropy, Types<float, float>, Types<float, int32_t>,
                    Types<float, int64_t>, Types<half::half_t, int32_t>,
                    Types<half::half_t, int64_t>, Types<bfloat::bf16_t, int64_t>);

/// Backward of the cross entropy of a softmax: dx = scale (softmax(x) - [column = class]), as
/// MXNet's SoftmaxOutput has it. A label that is no class takes part in no column.
/// \param in_grad gradient of the loss with respect to the inputs of the softmax
/// \param in inputs of the softmax, one row per sample; may be in_grad
/// \param label number of each sample's class, from 0
/// \param scale factor of the gradient; 1 / batch size for the mean of a batch
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void SparseSoftmaxCrossEntropyGrad(Tensor<xpu, 2, DType> in_grad,
                                                  const Tensor<xpu, 2, DType> &in,
                                                  const Tensor<xpu, 1, IType> &label,
                                                  MSHADOW_HYPER float scale = 1.0f) {
  Temporary<xpu, 1, float> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  auto x = tcast<float>(in);
  top = reduce_except_dim<0, red::maximum>(x);
  auto e = F<op::exp>(x - broadcast<0>(top, in.shape_));
  total = sumall_except_dim<0>(e);
  in_grad = tcast<DType>(
      scale * (e / broadcast<0>(total, in.shape_) - one_hot_encode<float>(label, in.size(1))));
}
MSHADOW_INSTANTIATE(SparseSoftmaxCrossEntropyGrad, Types<float, float>, Types<float, int32_t>,
                    Types<float, int64_t>, Types<half::half_t, int32_t>,
                    Types<half::half_t, int64_t>, Types<bfloat::bf16_t, int64_t>);

/// Cross entropy of a softmax and its gradient, as training needs both: SparseSoftmaxCrossEntropy
/// and SparseSoftmaxCrossEntropyGrad in one.
/// \param loss one value per sample
/// \param in_grad gradient of the loss with respect to the inputs of the softmax
/// \param in inputs of the softmax, one row per sample; may be in_grad
/// \param label number of each sample's class, from 0; on the CPU another one is an error
/// \param scale factor of the gradient; 1 / batch size for the mean of a batch
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void SparseSoftmaxCrossEntropyTrain(Tensor<xpu, 1, float> loss,
                                                   Tensor<xpu, 2, DType> in_grad,
                                                   const Tensor<xpu, 2, DType> &in,
                                                   const Tensor<xpu, 1, IType> &label,
                                                   MSHADOW_HYPER float scale = 1.0f) {
  Temporary<xpu, 1, float> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  auto x = tcast<float>(in);
  top = reduce_except_dim<0, red::maximum>(x);
  auto e = F<op::exp>(x - broadcast<0>(top, in.shape_));
  total = sumall_except_dim<0>(e);
  loss = F<op::log>(total) - (mat_choose_row_element(x, label) - top);
  in_grad = tcast<DType>(
      scale * (e / broadcast<0>(total, in.shape_) - one_hot_encode<float>(label, in.size(1))));
}
MSHADOW_INSTANTIATE(SparseSoftmaxCrossEntropyTrain, Types<float, float>, Types<float, int32_t>,
                    Types<float, int64_t>, Types<half::half_t, int32_t>,
                    Types<half::half_t, int64_t>, Types<bfloat::bf16_t, int64_t>);

}  // namespace loss

#endif  // SPECS_LOSS_SPARSE_SOFTMAX_CROSS_ENTROPY_H_
