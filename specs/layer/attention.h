// SPDX-License-Identifier: Apache-2.0
/// \file attention.h
/// Scaled dot-product attention of one head: two products, and between them the softmax of the
/// scores' rows, which stay in memory of the launch.
#ifndef SPECS_LAYER_ATTENTION_H_
#define SPECS_LAYER_ATTENTION_H_

#include "../activation/softmax.h"

namespace layer {
using namespace mshadow;
using namespace mshadow::expr;

/// Attention: y = softmax(scale q k^T) v, the softmax over each row. Vaswani et al. 2017, equation
/// (1), where scale is 1 / sqrt(columns of q).
/// \param out one row per query, a column for each of v
/// \param q queries, a row each
/// \param k keys, a row each
/// \param v values, a row for each key
/// \param scale of the scores
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
