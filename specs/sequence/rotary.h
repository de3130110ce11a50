// SPDX-License-Identifier: Apache-2.0
/// \file rotary.h
/// Rotary position embedding: pairs of elements turned by an angle that grows with the position.
#ifndef SPECS_SEQUENCE_ROTARY_H_
#define SPECS_SEQUENCE_ROTARY_H_

#include <mshadow/kernel.h>

namespace sequence {
using namespace mshadow;
using namespace mshadow::expr;

/// Rotary embedding: y = x cos + r(x) sin, where r gives the second half of a row, negated, and
/// then the first: with halves 1 and 2, y1 = x1 cos1 - x2 sin1, y2 = x2 cos2 + x1 sin2. Su et al.
/// 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding"; element j is paired with
/// j + columns / 2, which is GPT-NeoX's order and LLaMA's in Transformers.
/// \param out turned rows
/// \param in one row for each position, of even length
/// \param cosine of each position's angles, which are the same in both halves
/// \param sine of the same
template <typename xpu, typename DType>
MSHADOW_KERNEL void RotaryEmbedding(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                    const Tensor<xpu, 2, float> &cosine,
                                    const Tensor<xpu, 2, float> &sine) {
  const index_t half = in.size(1) / 2;
  auto first = slice<1>(in, 0, half), second = slice<1>(in, half, 2 * half);
  slice<1>(out, 0, half) = tcast<DType>(tcast<float>(first) * slice<1>(cosine, 0, half) -
                                        tcast<float>(second) * slice<1>(sine, 0, half));
  slice<1>(out, half, 2 * half) =
      tcast<DType>(tcast<float>(second) * slice<1>(cosine, half, 2 * half) +
                   tcast<float>(first) * slice<1>(sine, half, 2 * half));
}
MSHADOW_INSTANTIATE(RotaryEmbedding, float, half::half_t, bfloat::bf16_t);

/// Backward of the rotary embedding: dx1 = dy1 cos1 + dy2 sin2, dx2 = dy2 cos2 - dy1 sin1: rows are
/// turned back.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param out_grad gradient of the loss with respect to the outputs
/// \param cosine of each position's angles
/// \param sine of the same
template <typename xpu, typename DType>
MSHADOW_KERNEL void RotaryEmbeddingGrad(Tensor<xpu, 2, DType> in_grad,
                                        const Tensor<xpu, 2, DType> &out_grad,
                                        const Tensor<xpu, 2, float> &cosine,
                                        const Tensor<xpu, 2, float> &sine) {
  const index_t half = out_grad.size(1) / 2;
  auto first = slice<1>(out_grad, 0, half), second = slice<1>(out_grad, half, 2 * half);
  slice<1>(in_grad, 0, half) = tcast<DType>(tcast<float>(first) * slice<1>(cosine, 0, half) +
                                            tcast<float>(second) * slice<1>(sine, half, 2 * half));
  slice<1>(in_grad, half, 2 * half) =
      tcast<DType>(tcast<float>(second) * slice<1>(cosine, half, 2 * half) -
                   tcast<float>(first) * slice<1>(sine, 0, half));
}
MSHADOW_INSTANTIATE(RotaryEmbeddingGrad, float, half::half_t, bfloat::bf16_t);

/// \brief 1 for odd integers, 0 for even ones
struct is_odd {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return a & T(1);
  }
};

/// Rotary embedding of neighbours: y1 = x1 cos - x2 sin, y2 = x2 cos + x1 sin for the elements 2 i
/// and 2 i + 1 of a row. Su et al. 2021, equation 34; the order of GPT-J, and of LLaMA's own code,
/// where a pair is a complex number.
/// \param out turned rows
/// \param in one row for each position, of even length
/// \param cosine of each position's angles, which are the same for both elements of a pair
/// \param sine of the same
template <typename xpu, typename DType>
MSHADOW_KERNEL void RotaryEmbeddingInterleaved(Tensor<xpu, 2, DType> out,
                                               const Tensor<xpu, 2, DType> &in,
                                               const Tensor<xpu, 2, float> &cosine,
                                               const Tensor<xpu, 2, float> &sine) {
  auto column = broadcast<1>(range<int32_t>(0, in.size(1)), in.shape_);
  auto second = tcast<float>(F<is_odd>(column));
  auto before = tcast<float>(crop(pad(in, 0, 1), in.shape_, 0, 0));
  auto after = tcast<float>(crop(pad(in, 0, 1), in.shape_, 0, 2));
  out = tcast<DType>(tcast<float>(in) * cosine + where(second, before, -after) * sine);
}
MSHADOW_INSTANTIATE(RotaryEmbeddingInterleaved, float, bfloat::bf16_t);

/// Backward of the rotary embedding of neighbours: dx1 = dy1 cos + dy2 sin, dx2 = dy2 cos - dy1
/// sin: rows are turned back.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param out_grad gradient of the loss with respect to the outputs
/// \param cosine of each position's angles
/// \param sine of the same
template <typename xpu, typename DType>
MSHADOW_KERNEL void RotaryEmbeddingInterleavedGrad(Tensor<xpu, 2, DType> in_grad,
                                                   const Tensor<xpu, 2, DType> &out_grad,
                                                   const Tensor<xpu, 2, float> &cosine,
                                                   const Tensor<xpu, 2, float> &sine) {
  auto column = broadcast<1>(range<int32_t>(0, out_grad.size(1)), out_grad.shape_);
  auto second = tcast<float>(F<is_odd>(column));
  auto before = tcast<float>(crop(pad(out_grad, 0, 1), out_grad.shape_, 0, 0));
  auto after = tcast<float>(crop(pad(out_grad, 0, 1), out_grad.shape_, 0, 2));
  in_grad = tcast<DType>(tcast<float>(out_grad) * cosine + where(second, -before, after) * sine);
}
MSHADOW_INSTANTIATE(RotaryEmbeddingInterleavedGrad, float, bfloat::bf16_t);

}  // namespace sequence

#endif  // SPECS_SEQUENCE_ROTARY_H_
