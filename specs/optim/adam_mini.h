// SPDX-License-Identifier: Apache-2.0
/// \file adam_mini.h
/// Adam-mini: AdamW with one second moment for each row of a weight matrix. A row is a block of the
/// paper: an output of a layer, a token of an embedding; of queries and keys, see a head as a row
/// (a view of the same memory).
#ifndef SPECS_OPTIM_ADAM_MINI_H_
#define SPECS_OPTIM_ADAM_MINI_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// Adam-mini: m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) mean(g^2) of each row,
/// w = (1 - lr decay) w - lr m^ / (sqrt(v^) + eps). Zhang et al. 2024, Algorithm 1; the blocks are
/// rows.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param row_mean running mean of the squared gradient of each row
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1
template <typename xpu, typename DType>
MSHADOW_KERNEL void AdamMini(MSHADOW_PARAMETER Tensor<xpu, 2, DType> weight,
                             MSHADOW_STATE(0) Tensor<xpu, 2, Promoted<DType>> exp_avg,
                             MSHADOW_STATE(0) Tensor<xpu, 1, Promoted<DType>> row_mean,
                             MSHADOW_GRADIENT const Tensor<xpu, 2, DType> &grad,
                             MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                             MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                             MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  Temporary<xpu, 1, Promoted<DType>> factor(Shape1(weight.size(0)), weight.stream_);
  const double step_size = lr / bias_correction(beta1, step);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  const double share = (1.0 - beta2) / static_cast<double>(weight.size(1));
  auto g = tcast<Promoted<DType>>(grad);
  row_mean = beta2 * row_mean;
  row_mean += share * sumall_except_dim<0>(F<op::square>(g));
  factor = step_size / (F<op::square_root>(row_mean) * inv_bias2 + eps);
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * g;
  weight = tcast<DType>((1.0 - lr * decay) * tcast<Promoted<DType>>(weight) -
                        broadcast<0>(factor, weight.shape_) * exp_avg);
}
MSHADOW_INSTANTIATE(AdamMini, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_ADAM_MINI_H_
