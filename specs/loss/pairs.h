// SPDX-License-Identifier: Apache-2.0
/// \file pairs.h
/// Losses of embeddings: rows that should be near each other, or far away.
#ifndef SPECS_LOSS_PAIRS_H_
#define SPECS_LOSS_PAIRS_H_

#include <mshadow/kernel.h>

namespace loss {
using namespace mshadow;
using namespace mshadow::expr;

/// \brief a / b, and 0 where b is 0
struct quotient_or_zero {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return b == T(0) ? T(0) : a / b;
  }
};

/// Contrastive loss of pairs of rows: with d = norm(a - b), l = (y d^2 + (1 - y) max(0, margin -
/// d)^2) / 2. Hadsell, Chopra and LeCun 2006, equation 4, where Y is 1 - y.
/// \param loss one value per pair
/// \param a first of each pair, in a row
/// \param b second of each pair
/// \param label 1 for pairs that belong together, else 0
/// \param margin distance from which on other pairs do not count
template <typename xpu, typename DType>
MSHADOW_KERNEL void ContrastiveLoss(Tensor<xpu, 1, DType> loss, const Tensor<xpu, 2, DType> &a,
                                    const Tensor<xpu, 2, DType> &b,
                                    const Tensor<xpu, 1, DType> &label,
                                    MSHADOW_HYPER float margin = 1.0f) {
  Temporary<xpu, 1, DType> square(Shape1(a.size(0)), a.stream_);
  square = sumall_except_dim<0>(F<op::square>(a - b));
  auto missing = F<op::relu>(margin - F<op::square_root>(square));
  loss = 0.5f * (label * square + (1.0f - label) * F<op::square>(missing));
}
MSHADOW_INSTANTIATE(ContrastiveLoss, float);

/// Backward of the contrastive loss: da = scale (y - (1 - y) max(0, margin - d) / d) (a - b), and
/// db = -da. Where d is 0, the quotient is 0.
/// \param a_grad gradient of the loss with respect to a
/// \param b_grad gradient of the loss with respect to b
/// \param a first of each pair, in a row
/// \param b second of each pair; may be b_grad
/// \param label 1 for pairs that belong together, else 0
/// \param margin distance from which on other pairs do not count
/// \param scale factor of the gradient; 1 / number of pairs for their mean
template <typename xpu, typename DType>
MSHADOW_KERNEL void ContrastiveLossGrad(Tensor<xpu, 2, DType> a_grad, Tensor<xpu, 2, DType> b_grad,
                                        const Tensor<xpu, 2, DType> &a,
                                        const Tensor<xpu, 2, DType> &b,
                                        const Tensor<xpu, 1, DType> &label,
                                        MSHADOW_HYPER float margin = 1.0f,
                                        MSHADOW_HYPER float scale = 1.0f) {
  Temporary<xpu, 1, DType> factor(Shape1(a.size(0)), a.stream_);
  factor = sumall_except_dim<0>(F<op::square>(a - b));
  factor = F<op::square_root>(factor);
  factor =
      scale * (label - (1.0f - label) * F<quotient_or_zero>(F<op::relu>(margin - factor), factor));
  auto grad = broadcast<0>(factor, a.shape_) * (a - b);
  a_grad = grad;
  b_grad = -grad;
}
MSHADOW_INSTANTIATE(ContrastiveLossGrad, float);

/// Triplet loss of rows: l = max(0, norm(a - p + eps) - norm(a - n + eps) + margin). Balntas et al.
/// 2016, section 2; torch.nn.functional.triplet_margin_loss without a reduction, for p = 2.
/// \param loss one value per triplet
/// \param anchor a
/// \param positive p, of the anchor's class
/// \param negative n, of another class
/// \param margin by which the negative row should be farther away
/// \param eps added to each difference
template <typename xpu, typename DType>
MSHADOW_KERNEL void TripletMarginLoss(Tensor<xpu, 1, DType> loss,
                                      const Tensor<xpu, 2, DType> &anchor,
                                      const Tensor<xpu, 2, DType> &positive,
                                      const Tensor<xpu, 2, DType> &negative,
                                      MSHADOW_HYPER float margin = 1.0f,
                                      MSHADOW_HYPER float eps = 1e-6f) {
  Temporary<xpu, 1, DType> to_positive(Shape1(anchor.size(0)), anchor.stream_);
  Temporary<xpu, 1, DType> to_negative(Shape1(anchor.size(0)), anchor.stream_);
  to_positive = sumall_except_dim<0>(F<op::square>(anchor - positive + eps));
  to_negative = sumall_except_dim<0>(F<op::square>(anchor - negative + eps));
  loss = F<op::relu>(F<op::square_root>(to_positive) - F<op::square_root>(to_negative) + margin);
}
MSHADOW_INSTANTIATE(TripletMarginLoss, float);

/// Backward of the triplet loss. Where the loss is above 0, with u = (a - p + eps) / norm(a - p +
/// eps) and v the same for n, da = scale (u - v), dp = -scale u and dn = scale v; else all are 0.
/// \param anchor_grad gradient of the loss with respect to a
/// \param positive_grad gradient of the loss with respect to p
/// \param negative_grad gradient of the loss with respect to n
/// \param anchor a
/// \param positive p, of the anchor's class
/// \param negative n, of another class
/// \param margin by which the negative row should be farther away
/// \param eps added to each difference
/// \param scale factor of the gradient; 1 / number of triplets for their mean
template <typename xpu, typename DType>
MSHADOW_KERNEL void TripletMarginLossGrad(
    Tensor<xpu, 2, DType> anchor_grad, Tensor<xpu, 2, DType> positive_grad,
    Tensor<xpu, 2, DType> negative_grad, const Tensor<xpu, 2, DType> &anchor,
    const Tensor<xpu, 2, DType> &positive, const Tensor<xpu, 2, DType> &negative,
    MSHADOW_HYPER float margin = 1.0f, MSHADOW_HYPER float eps = 1e-6f,
    MSHADOW_HYPER float scale = 1.0f) {
  Temporary<xpu, 1, DType> to_positive(Shape1(anchor.size(0)), anchor.stream_);
  Temporary<xpu, 1, DType> to_negative(Shape1(anchor.size(0)), anchor.stream_);
  Temporary<xpu, 1, DType> counts(Shape1(anchor.size(0)), anchor.stream_);
  to_positive = sumall_except_dim<0>(F<op::square>(anchor - positive + eps));
  to_negative = sumall_except_dim<0>(F<op::square>(anchor - negative + eps));
  to_positive = F<op::square_root>(to_positive);
  to_negative = F<op::square_root>(to_negative);
  counts = scale * (to_positive - to_negative + margin > 0.0f);
  to_positive = F<quotient_or_zero>(counts, to_positive);
  to_negative = F<quotient_or_zero>(counts, to_negative);
  auto u = (anchor - positive + eps) * broadcast<0>(to_positive, anchor.shape_);
  auto v = (anchor - negative + eps) * broadcast<0>(to_negative, anchor.shape_);
  anchor_grad = u - v;
  positive_grad = -u;
  negative_grad = v;
}
MSHADOW_INSTANTIATE(TripletMarginLossGrad, float);

/// Cosine loss of pairs of rows: with c = a b / sqrt((a a + eps) (b b + eps)), l = 1 - c for label
/// 1, and max(0, c - margin) for label -1. torch.nn.functional.cosine_embedding_loss without a
/// reduction.
/// \param loss one value per pair
/// \param a first of each pair, in a row
/// \param b second of each pair
/// \param label 1 for pairs that belong together, -1 for others
/// \param margin cosine up to which other pairs do not count
/// \param eps added to squared norms
template <typename xpu, typename DType>
MSHADOW_KERNEL void CosineEmbeddingLoss(Tensor<xpu, 1, DType> loss, const Tensor<xpu, 2, DType> &a,
                                        const Tensor<xpu, 2, DType> &b,
                                        const Tensor<xpu, 1, DType> &label,
                                        MSHADOW_HYPER float margin = 0.0f,
                                        MSHADOW_HYPER float eps = 1e-12f) {
  Temporary<xpu, 1, DType> ab(Shape1(a.size(0)), a.stream_), aa(Shape1(a.size(0)), a.stream_);
  Temporary<xpu, 1, DType> bb(Shape1(a.size(0)), a.stream_);
  ab = sumall_except_dim<0>(a * b);
  aa = sumall_except_dim<0>(a * a);
  bb = sumall_except_dim<0>(b * b);
  ab = ab / F<op::square_root>((aa + eps) * (bb + eps));
  loss = where(label > 0.0f, 1.0f - ab, F<op::relu>(ab - margin));
}
MSHADOW_INSTANTIATE(CosineEmbeddingLoss, float);

/// Backward of the cosine loss: with the cosine c and s = -scale for label 1, scale where label -1
/// counts and else 0, da = s (b / sqrt(A B) - c a / A), db = s (a / sqrt(A B) - c b / B), A = a a +
/// eps, B = b b + eps.
/// \param a_grad gradient of the loss with respect to a
/// \param b_grad gradient of the loss with respect to b
/// \param a first of each pair, in a row
/// \param b second of each pair
/// \param label 1 for pairs that belong together, -1 for others
/// \param margin cosine up to which other pairs do not count
/// \param eps added to squared norms
/// \param scale factor of the gradient; 1 / number of pairs for their mean
template <typename xpu, typename DType>
MSHADOW_KERNEL void CosineEmbeddingLossGrad(
    Tensor<xpu, 2, DType> a_grad, Tensor<xpu, 2, DType> b_grad, const Tensor<xpu, 2, DType> &a,
    const Tensor<xpu, 2, DType> &b, const Tensor<xpu, 1, DType> &label,
    MSHADOW_HYPER float margin = 0.0f, MSHADOW_HYPER float eps = 1e-12f,
    MSHADOW_HYPER float scale = 1.0f) {
  Temporary<xpu, 1, DType> ab(Shape1(a.size(0)), a.stream_), aa(Shape1(a.size(0)), a.stream_);
  Temporary<xpu, 1, DType> bb(Shape1(a.size(0)), a.stream_), s(Shape1(a.size(0)), a.stream_);
  Temporary<xpu, 1, DType> inverse(Shape1(a.size(0)), a.stream_);
  ab = sumall_except_dim<0>(a * b);
  aa = sumall_except_dim<0>(a * a);
  bb = sumall_except_dim<0>(b * b);
  inverse = 1.0f / F<op::square_root>((aa + eps) * (bb + eps));
  ab = ab * inverse;
  s = where(label > 0.0f, -scale, scale * (ab > margin));
  aa = s * ab / (aa + eps);
  bb = s * ab / (bb + eps);
  inverse = s * inverse;
  a_grad = b * broadcast<0>(inverse, a.shape_) - a * broadcast<0>(aa, a.shape_);
  b_grad = a * broadcast<0>(inverse, a.shape_) - b * broadcast<0>(bb, a.shape_);
}
MSHADOW_INSTANTIATE(CosineEmbeddingLossGrad, float);

}  // namespace loss

#endif  // SPECS_LOSS_PAIRS_H_
