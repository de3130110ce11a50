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
/// then the first. Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding";
/// element j is paired with j + columns / 2, which is GPT-NeoX's order and LLaMA's in Transformers.
/// \param out turned rows
/// \param in one row for each position, of even length
/// \param cosine of each position's angles, which are the same in both halves
/// \param sine of the same
template <typename xpu, typename DType>
MSHADOW_KERNEL void RotaryEmbedding(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                    const Tensor<xpu, 2, float> &cosine,
                                    const Tensor<xpu, 2, float> &sine) {
  const index_t half = in.size(1) / 2;
  const float middle = static_cast<float>(half);
  auto column = broadcast<1>(range<float>(0, in.size(1)), in.shape_);
  auto partner = tcast<float>(concat<1>(slice<1>(in, half, in.size(1)), slice<1>(in, 0, half)));
  auto turned = where(column < middle, -partner, partner);
  out = tcast<DType>(tcast<float>(in) * cosine + turned * sine);
}
MSHADOW_INSTANTIATE(RotaryEmbedding, float, half::half_t, bfloat::bf16_t);

/// Backward of the rotary embedding: dx = dy cos + s, where s is the second half of dy sin, and
/// then the first, negated: rows are turned back.
/// \param in_grad gradient of the loss by the inputs
/// \param out_grad gradient of the loss by the outputs
/// \param cosine of each position's angles
/// \param sine of the same
template <typename xpu, typename DType>
MSHADOW_KERNEL void RotaryEmbeddingGrad(Tensor<xpu, 2, DType> in_grad,
                                        const Tensor<xpu, 2, DType> &out_grad,
                                        const Tensor<xpu, 2, float> &cosine,
                                        const Tensor<xpu, 2, float> &sine) {
  const index_t cols = out_grad.size(1);
  const index_t half = cols / 2;
  const float middle = static_cast<float>(half);
  auto column = broadcast<1>(range<float>(0, out_grad.size(1)), out_grad.shape_);
  auto partner =
      tcast<float>(concat<1>(slice<1>(out_grad, half, cols), slice<1>(out_grad, 0, half)));
  auto turned = partner * concat<1>(slice<1>(sine, half, cols), slice<1>(sine, 0, half));
  in_grad =
      tcast<DType>(tcast<float>(out_grad) * cosine + where(column < middle, turned, -turned));
}
MSHADOW_INSTANTIATE(RotaryEmbeddingGrad, float, half::half_t, bfloat::bf16_t);

}  // namespace sequence

#endif  // SPECS_SEQUENCE_ROTARY_H_
