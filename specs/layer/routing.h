// SPDX-License-Identifier: Apache-2.0
/// \file routing.h
/// Which experts of a mixture compute a token, and with what weights.
#ifndef SPECS_LAYER_ROUTING_H_
#define SPECS_LAYER_ROUTING_H_

#include <mshadow/kernel.h>

namespace layer {
using namespace mshadow;
using namespace mshadow::expr;

/// The gate of a mixture of experts: of p = softmax(logits) over the experts the k greatest of each
/// token, the greatest first, each divided by their sum. Shazeer et al. 2017; Jiang et al. 2024,
/// "Mixtral of Experts". As torch.topk of a softmax, but of equal p the lower expert comes first.
/// \param weights k weights per token, which add up to 1; k is the number of its columns
/// \param experts the numbers of their experts, from 0
/// \param logits one row per token, one column per expert
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void TopKGate(Tensor<xpu, 2, DType> weights, Tensor<xpu, 2, IType> experts,
                             const Tensor<xpu, 2, DType> &logits) {
  Temporary<xpu, 2, Promoted<DType>> gates(logits.shape_, logits.stream_);
  Temporary<xpu, 2, Promoted<DType>> best(weights.shape_, logits.stream_);
  Temporary<xpu, 1, Promoted<DType>> top(Shape1(logits.size(0)), logits.stream_);
  Temporary<xpu, 1, Promoted<DType>> total(Shape1(logits.size(0)), logits.stream_);
  Temporary<xpu, 1, Promoted<DType>> sum(Shape1(weights.size(0)), logits.stream_);
  auto x = tcast<Promoted<DType>>(logits);
  top = reduce_except_dim<0, red::maximum>(x);
  auto e = F<op::exp>(x - broadcast<0>(top, logits.shape_));
  total = sumall_except_dim<0>(e);
  gates = e / broadcast<0>(total, logits.shape_);
  TopK(best, experts, gates);
  sum = sumall_except_dim<0>(best);
  weights = tcast<DType>(best / broadcast<0>(sum, weights.shape_));
}
MSHADOW_INSTANTIATE(TopKGate, Types<float, int64_t>, Types<bfloat::bf16_t, int64_t>);

/// Backward of the gate. The weights are the softmax of the chosen logits alone (Shazeer et al.
/// 2017, equation 3). So the gradient of the logit of weight w is w (dw - sum(dw w)), the sum being
/// over the token's weights. That of all other experts is 0. As PyTorch's for torch.softmax,
/// torch.topk and the division by the sum.
/// \param logits_grad gradient of the loss with respect to the logits
/// \param weights_grad gradient of the loss with respect to the weights
/// \param weights of the forward rule
/// \param experts of the forward rule
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void TopKGateGrad(Tensor<xpu, 2, DType> logits_grad,
                                 const Tensor<xpu, 2, DType> &weights_grad,
                                 const Tensor<xpu, 2, DType> &weights,
                                 const Tensor<xpu, 2, IType> &experts) {
  Temporary<xpu, 1, Promoted<DType>> sum(Shape1(weights.size(0)), weights.stream_);
  Temporary<xpu, 2, Promoted<DType>> chosen(weights.shape_, weights.stream_);
  auto w = tcast<Promoted<DType>>(weights);
  auto dw = tcast<Promoted<DType>>(weights_grad);
  sum = sumall_except_dim<0>(dw * w);
  chosen = w * (dw - broadcast<0>(sum, weights.shape_));
  MSHADOW_STAGE();
  logits_grad = tcast<DType>(scatter_columns(chosen, experts, logits_grad.size(1)));
}
MSHADOW_INSTANTIATE(TopKGateGrad, Types<float, int64_t>, Types<bfloat::bf16_t, int64_t>);

}  // namespace layer

#endif  // SPECS_LAYER_ROUTING_H_
