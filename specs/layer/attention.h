// SPDX-License-Identifier: Apache-2.0
/// \file attention.h
/// Scaled dot-product attention of one head: two matrix products, and between them the softmax of
/// each row of scores, with a mask or without. The scores are in a workspace.
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

/// The total of the exponentials of a row, but 1 for a row of -Inf, whose exponentials are all 0.
struct total_or_one {
  template <typename T>
  MSHADOW_XINLINE static T Map(T total) {
    return total == T(0) ? T(1) : total;
  }
};

/// Attention with a bias of the scores: y = softmax(scale q k^T + bias) v, the softmax over each
/// row. A bias of -Inf masks a key out; a query whose keys are all masked out has y = 0. Vaswani et
/// al. 2017, section 3.2.3; as torch.nn.functional.scaled_dot_product_attention with attn_mask.
/// \param out one row per query, as many columns as v
/// \param q queries, one per row
/// \param k keys, one per row
/// \param v values, one row per key
/// \param bias added to the scores, one row per query, one column per key
/// \param scale factor of the scores, 1 / sqrt(columns of q) in the paper
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasedAttention(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &q,
                                    const Tensor<xpu, 2, DType> &k, const Tensor<xpu, 2, DType> &v,
                                    const Tensor<xpu, 2, DType> &bias, double scale = 1.0) {
  Temporary<xpu, 2, DType> scores(Shape2(q.size(0), k.size(0)), q.stream_);
  Temporary<xpu, 1, Promoted<DType>> top(Shape1(q.size(0)), q.stream_);
  Temporary<xpu, 1, Promoted<DType>> total(Shape1(q.size(0)), q.stream_);
  scores = scale * dot(q, k.T());
  auto x = tcast<Promoted<DType>>(scores) + tcast<Promoted<DType>>(bias);
  top = reduce_except_dim<0, red::maximum>(x);
  top = F<activation::finite_or_zero>(top);  // -Inf - -Inf is NaN
  auto e = F<op::exp>(x - broadcast<0>(top, scores.shape_));
  total = sumall_except_dim<0>(e);
  total = F<total_or_one>(total);
  scores = tcast<DType>(e / broadcast<0>(total, scores.shape_));
  out = dot(scores, v);
}
MSHADOW_INSTANTIATE(BiasedAttention, float, double, half::half_t, bfloat::bf16_t);

/// Attention in which a query sees the keys up to its own position: y = softmax(scale q k^T) v, the
/// softmax of row i over columns 0 to i. Vaswani et al. 2017, section 3.2.3; as
/// torch.nn.functional.scaled_dot_product_attention with is_causal.
/// \param out one row per query, as many columns as v
/// \param q queries, one per row
/// \param k keys, one per row
/// \param v values, one row per key
/// \param scale factor of the scores, 1 / sqrt(columns of q) in the paper
template <typename xpu, typename DType>
MSHADOW_KERNEL void CausalAttention(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &q,
                                    const Tensor<xpu, 2, DType> &k, const Tensor<xpu, 2, DType> &v,
                                    double scale = 1.0) {
  const Shape<2> shape = Shape2(q.size(0), k.size(0));
  Temporary<xpu, 2, DType> scores(shape, q.stream_);
  Temporary<xpu, 1, Promoted<DType>> top(Shape1(q.size(0)), q.stream_);
  Temporary<xpu, 1, Promoted<DType>> total(Shape1(q.size(0)), q.stream_);
  scores = scale * dot(q, k.T());
  auto query = broadcast<0>(range<int32_t>(0, q.size(0)), scores.shape_);
  auto key = broadcast<1>(range<int32_t>(0, k.size(0)), scores.shape_);
  auto x = where(key <= query, tcast<Promoted<DType>>(scores),
                 red::limits::NegInfValue<Promoted<DType>>());
  top = reduce_except_dim<0, red::maximum>(x);
  auto e = F<op::exp>(x - broadcast<0>(top, scores.shape_));
  total = sumall_except_dim<0>(e);
  scores = tcast<DType>(e / broadcast<0>(total, scores.shape_));
  out = dot(scores, v);
}
MSHADOW_INSTANTIATE(CausalAttention, float, double, half::half_t, bfloat::bf16_t);

}  // namespace layer

#endif  // SPECS_LAYER_ATTENTION_H_
