// SPDX-License-Identifier: Apache-2.0
/// \file lazy.h
/// Updates of the rows that indices name, from a gradient that has these rows only: sparse-row or
/// "lazy" optimizers for embeddings. Row i of the gradient belongs to row index[i] of the weights.
/// All other rows keep their weights and states. Indices must differ: add up the rows of the
/// gradient that have one index before.
#ifndef SPECS_OPTIM_LAZY_H_
#define SPECS_OPTIM_LAZY_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// SGD of some rows: w = w - lr g. Robbins & Monro 1951; the order of torch.optim.SGD with a sparse
/// gradient.
/// \param weight parameters, of which rows are updated in place
/// \param grad gradient of the loss with respect to these rows
/// \param index number of the row of weight for each row of grad, from 0; no two are the same
/// \param lr learning rate
/// \param maximize whether g is the negative gradient
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void LazySGD(MSHADOW_PARAMETER Tensor<xpu, 2, DType> weight,
                            MSHADOW_GRADIENT const Tensor<xpu, 2, DType> &grad,
                            const Tensor<xpu, 1, IType> &index, MSHADOW_HYPER double lr = 0.1,
                            MSHADOW_HYPER bool maximize = false) {
  const double step_size = maximize ? -lr : lr;
  auto w = rows(weight, index);
  w = tcast<DType>(tcast<Promoted<DType>>(w) - step_size * tcast<Promoted<DType>>(grad));
}
MSHADOW_INSTANTIATE(LazySGD, Types<float, int32_t>, Types<float, int64_t>, Types<double, int64_t>,
                    Types<half::half_t, int64_t>, Types<bfloat::bf16_t, int64_t>);

/// Adagrad of some rows: s = s + g^2, w = w - lr / (1 + (t - 1) lr_decay) g / (sqrt(s) + eps).
/// Duchi, Hazan & Singer 2011; the order of torch.optim.Adagrad with a sparse gradient.
/// \param weight parameters, of which rows are updated in place
/// \param sum sum of squared gradients of all rows
/// \param grad gradient of the loss with respect to these rows
/// \param index number of the row of weight for each row of grad, from 0; no two are the same
/// \param lr learning rate
/// \param lr_decay how fast the learning rate falls with the steps
/// \param eps added to the root, against division by zero
/// \param step number of this update, from 1
/// \param maximize whether g is the negative gradient
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void LazyAdagrad(MSHADOW_PARAMETER Tensor<xpu, 2, DType> weight,
                                MSHADOW_STATE(0) Tensor<xpu, 2, Promoted<DType>> sum,
                                MSHADOW_GRADIENT const Tensor<xpu, 2, DType> &grad,
                                const Tensor<xpu, 1, IType> &index, MSHADOW_HYPER double lr = 0.01,
                                MSHADOW_HYPER double lr_decay = 0.0,
                                MSHADOW_HYPER double eps = 1e-10, MSHADOW_STEP int step = 1,
                                MSHADOW_HYPER bool maximize = false) {
  MSHADOW_CHECK_STEP(step);
  const double sign = maximize ? -1.0 : 1.0;
  const double step_size = lr / (1.0 + static_cast<double>(step - 1) * lr_decay);
  auto w = rows(weight, index);
  auto s = rows(sum, index);
  auto g = sign * tcast<Promoted<DType>>(grad);
  s = s + F<op::square>(g);
  w = tcast<DType>(tcast<Promoted<DType>>(w) - step_size * g / (F<op::square_root>(s) + eps));
}
MSHADOW_INSTANTIATE(LazyAdagrad, Types<float, int32_t>, Types<float, int64_t>,
                    Types<double, int64_t>, Types<half::half_t, int64_t>,
                    Types<bfloat::bf16_t, int64_t>);

/// Adam of some rows: m = m + (1 - beta1) (g - m), v = v + (1 - beta2) (g^2 - v),
/// w = w - lr sqrt(1 - beta2^t) / (1 - beta1^t) m / (sqrt(v) + eps). The step counts all updates,
/// whichever rows they have. Kingma & Ba 2015, end of section 2, for the rows that have a gradient;
/// the order of torch.optim.SparseAdam. TensorFlow's lazy Adam has this form, too.
/// \param weight parameters, of which rows are updated in place
/// \param exp_avg running means of the gradients of all rows
/// \param exp_avg_sq running means of their squares
/// \param grad gradient of the loss with respect to these rows
/// \param index number of the row of weight for each row of grad, from 0; no two are the same
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the uncorrected root
/// \param step number of this update, from 1
/// \param maximize whether g is the negative gradient
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void LazyAdam(MSHADOW_PARAMETER Tensor<xpu, 2, DType> weight,
                             MSHADOW_STATE(0) Tensor<xpu, 2, Promoted<DType>> exp_avg,
                             MSHADOW_STATE(0) Tensor<xpu, 2, Promoted<DType>> exp_avg_sq,
                             MSHADOW_GRADIENT const Tensor<xpu, 2, DType> &grad,
                             const Tensor<xpu, 1, IType> &index, MSHADOW_HYPER double lr = 0.001,
                             MSHADOW_HYPER double beta1 = 0.9, MSHADOW_HYPER double beta2 = 0.999,
                             MSHADOW_HYPER double eps = 1e-8, MSHADOW_STEP int step = 1,
                             MSHADOW_HYPER bool maximize = false) {
  MSHADOW_CHECK_STEP(step);
  const double sign = maximize ? -1.0 : 1.0;
  const double step_size =
      lr * math::sqrt(bias_correction(beta2, step)) / bias_correction(beta1, step);
  auto w = rows(weight, index);
  auto m = rows(exp_avg, index);
  auto v = rows(exp_avg_sq, index);
  auto g = sign * tcast<Promoted<DType>>(grad);
  m = m + (1.0 - beta1) * (g - m);
  v = v + (1.0 - beta2) * (F<op::square>(g) - v);
  w = tcast<DType>(tcast<Promoted<DType>>(w) - step_size * m / (F<op::square_root>(v) + eps));
}
MSHADOW_INSTANTIATE(LazyAdam, Types<float, int32_t>, Types<float, int64_t>, Types<double, int64_t>,
                    Types<half::half_t, int64_t>, Types<bfloat::bf16_t, int64_t>);

}  // namespace optim

#endif  // SPECS_OPTIM_LAZY_H_
