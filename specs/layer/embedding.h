// SPDX-License-Identifier: Apache-2.0
/// \file embedding.h
/// Embeddings of tokens, and biases by position.
#ifndef SPECS_LAYER_EMBEDDING_H_
#define SPECS_LAYER_EMBEDDING_H_

#include <mshadow/kernel.h>

namespace layer {
using namespace mshadow;
using namespace mshadow::expr;

/// Rows of a table: y_i = weight[index_i]. torch.nn.functional.embedding.
/// \param out one row per token
/// \param weight one row per word of the vocabulary
/// \param index number of each token's word, from 0; on the CPU another one is an error
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Embedding(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &weight,
                              const Tensor<xpu, 1, IType> &index) {
  out = take(index, weight);
}
MSHADOW_INSTANTIATE(Embedding, Types<float, int64_t>);

/// Its gradient with respect to the table: dw_j is the sum of dy_i over all tokens i of word j,
/// added in the order of the tokens. torch.nn.functional.embedding's with padding_idx.
/// \param weight_grad one row per word of the vocabulary
/// \param grad one row per token
/// \param index number of each token's word, from 0; another one counts as the nearest word
/// \param padding_idx a word whose gradient is 0; below 0: there is none
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void EmbeddingGrad(Tensor<xpu, 2, DType> weight_grad,
                                  const Tensor<xpu, 2, DType> &grad,
                                  const Tensor<xpu, 1, IType> &index,
                                  MSHADOW_HYPER int64_t padding_idx = -1) {
  const index_t begin = padding_idx < 0 ? 0 : padding_idx;
  const index_t end = padding_idx < 0 ? 0 : padding_idx + 1;
  weight_grad = 0.0f;
  AddTakeGrad(weight_grad, index, grad);
  weight_grad.Slice(begin, end) = 0.0f;
}
MSHADOW_INSTANTIATE(EmbeddingGrad, Types<float, int64_t>);

/// Rows of a table, scaled, and the positions' rows: y_i = scale weight[index_i] + position_i.
/// Vaswani et al. 2017, sections 3.4 and 3.5, where the scale is the root of the number of columns.
/// \param out one row per token
/// \param weight one row per word of the vocabulary
/// \param index number of each token's word, from 0; on the CPU another one is an error
/// \param position one row per token
/// \param scale factor of the words' rows
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void PositionedEmbedding(Tensor<xpu, 2, DType> out,
                                        const Tensor<xpu, 2, DType> &weight,
                                        const Tensor<xpu, 1, IType> &index,
                                        const Tensor<xpu, 2, DType> &position,
                                        MSHADOW_HYPER float scale = 1.0f) {
  out = scale * take(index, weight) + position;
}
MSHADOW_INSTANTIATE(PositionedEmbedding, Types<float, int64_t>);

/// ALiBi: y = x + slope_h (k - last) for head h and key k, last being the number of the last key.
/// Press, Smith and Lewis 2022, equation 1, which adds slope_h (k - q) for query q: the same for a
/// softmax over the keys, since the two differ by one summand in each row. The gradient with
/// respect to x is dy.
/// \param out biased scores
/// \param in scores: heads, queries, keys; may be out
/// \param slope one per head; in the paper 2^(-8 / heads), and its powers
template <typename xpu, typename DType>
MSHADOW_KERNEL void AlibiBias(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                              const Tensor<xpu, 1, DType> &slope) {
  const float last = static_cast<float>(in.size(2)) - 1.0f;
  auto distance = broadcast<2>(range<DType>(0, in.size(2)), in.shape_) - last;
  out = in + broadcast<0>(slope, in.shape_) * distance;
}
MSHADOW_INSTANTIATE(AlibiBias, float);

}  // namespace layer

#endif  // SPECS_LAYER_EMBEDDING_H_
