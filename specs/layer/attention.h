// SPDX-License-Identifier: Apache-2.0
/// \file attention.h
/// Scaled dot-product attention of one head: two matrix products, and between them the softmax of
/// each row of scores. The scores are in a workspace.
#ifndef SPECS_LAYER_ATTENTION_H_
#define SPECS_LAYER_ATTENTION_H_

#include "../activation/softmax.h"

namespace layer {
using namespace mshadow;
using namespace mshadow::expr;

/// Attention: y = softmax(scale q k^T) v, the softmax over each row. Vaswani et al. 2017, equation
/// (1), where scale is 1 / sqrt(columns of q); the default scales nothing.
/// \param out one row per query, as many columns as v
/// \param q queries, one per row
/// \param k keys, one per row
/// \param v values, one row per key
/// \param scale factor of the scores, 1 / sqrt(columns of q) in the paper
template <typename xpu, typename DType>
MSHADOW_KERNEL void Attention(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &q,
                              const Tensor<xpu, 2, DType> &k, const Tensor<xpu, 2, DType> &v,
                              double scale = 1.0) {
  Temporary<xpu, 2, DType> scores(Shape2(q.size(0), k.size(0)), q.stream_);
  scores = scale * dot(q, k.T());
  activation::Softmax(scores, scores);
  out = dot(scores, v);
}
MSHADOW_INSTANTIATE(Attention, float, double, half::half_t, bfloat::bf16_t);

}  // namespace layer

#endif  // SPECS_LAYER_ATTENTION_H_
