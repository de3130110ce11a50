// SPDX-License-Identifier: Apache-2.0
/// \file token_shift.h
/// Token shift: each position is mixed with the one before.
#ifndef SPECS_SEQUENCE_TOKEN_SHIFT_H_
#define SPECS_SEQUENCE_TOKEN_SHIFT_H_

#include <mshadow/kernel.h>

namespace sequence {
using namespace mshadow;
using namespace mshadow::expr;

/// Token shift: y_t = mix x_t + (1 - mix) x_(t-1), and x_(-1) = 0. Peng et al. 2023, "RWKV:
/// Reinventing RNNs for the Transformer Era", equations 11 to 13 without their products.
/// \param out mixed rows
/// \param in one row for each position of one sequence
/// \param mix one factor per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void TokenShift(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                               const Tensor<xpu, 1, DType> &mix) {
  auto now = tcast<float>(in);
  auto before = tcast<float>(crop(pad(in, 1, 0), Shape2(in.size(0), in.size(1)), 0, 0));
  auto share = tcast<float>(broadcast<1>(mix, in.shape_));
  out = tcast<DType>(share * now + (1.0f - share) * before);
}
MSHADOW_INSTANTIATE(TokenShift, float, half::half_t, bfloat::bf16_t);

/// Backward of the token shift: dx_t = mix dy_t + (1 - mix) dy_(t+1).
/// \param in_grad gradient of the loss by the inputs
/// \param out_grad gradient of the loss by the outputs
/// \param mix one factor per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void TokenShiftGrad(Tensor<xpu, 2, DType> in_grad,
                                   const Tensor<xpu, 2, DType> &out_grad,
                                   const Tensor<xpu, 1, DType> &mix) {
  const index_t rows = out_grad.size(0);
  auto now = tcast<float>(out_grad);
  auto after = tcast<float>(crop(pad(out_grad, 1, 0), Shape2(rows, out_grad.size(1)), 2, 0));
  auto share = tcast<float>(broadcast<1>(mix, out_grad.shape_));
  in_grad = tcast<DType>(share * now + (1.0f - share) * after);
}
MSHADOW_INSTANTIATE(TokenShiftGrad, float, half::half_t, bfloat::bf16_t);

}  // namespace sequence

#endif  // SPECS_SEQUENCE_TOKEN_SHIFT_H_
