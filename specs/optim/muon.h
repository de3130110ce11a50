// SPDX-License-Identifier: Apache-2.0
/// \file muon.h
/// Muon: momentum whose matrix is replaced by the nearest one with orthogonal rows or columns. An
/// update is MuonMomentum, five calls of NewtonSchulz (or NewtonSchulzTall, for more rows than
/// columns), and MuonStep.
#ifndef SPECS_OPTIM_MUON_H_
#define SPECS_OPTIM_MUON_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// Muon, the direction: b = momentum b + (1 - momentum) g, u = (1 - momentum) g + momentum b (u = b
/// without `nesterov`), direction = u / max(|u|, eps), |u| being the Frobenius norm. Jordan 2024;
/// the order of torch.optim.Muon.
/// \param direction result: the first iterate of NewtonSchulz
/// \param momentum_buffer running mean of the gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param momentum decay rate of the buffer
/// \param eps least norm by which u is divided
/// \param nesterov whether the direction is that of Nesterov's momentum
template <typename xpu, typename DType>
MSHADOW_KERNEL void MuonMomentum(Tensor<xpu, 2, Promoted<DType>> direction,
                                 MSHADOW_STATE(0) Tensor<xpu, 2, Promoted<DType>> momentum_buffer,
                                 MSHADOW_GRADIENT const Tensor<xpu, 2, DType> &grad,
                                 MSHADOW_HYPER double momentum = 0.95,
                                 MSHADOW_HYPER double eps = 1e-7,
                                 MSHADOW_HYPER bool nesterov = true) {
  Temporary<xpu, 1, Promoted<DType>> inv_length(Shape1(1), grad.stream_);
  const double of_grad = nesterov ? 1.0 - momentum : 0.0, of_buffer = nesterov ? momentum : 1.0;
  auto g = tcast<Promoted<DType>>(grad);
  momentum_buffer = momentum * momentum_buffer + (1.0 - momentum) * g;
  auto update = of_grad * g + of_buffer * momentum_buffer;
  inv_length = reduce_all<red::sum>(F<op::square>(update));
  inv_length = 1.0 / F<op::maximum>(F<op::square_root>(inv_length), eps);
  direction = update * broadcast_scalar(inv_length, grad.shape_);
}
MSHADOW_INSTANTIATE(MuonMomentum, float, double, half::half_t, bfloat::bf16_t);

/// A Newton-Schulz step towards the nearest matrix with orthogonal rows: G = X X^T,
/// X = a X + (b G + c G G) X. Jordan 2024, with the coefficients of torch.optim.Muon. For matrices
/// with at most as many rows as columns.
/// \param x iterate, whose singular values are at most about 1
/// \param a coefficient of X
/// \param b coefficient of X X^T X
/// \param c coefficient of X X^T X X^T X
template <typename xpu, typename DType>
MSHADOW_KERNEL void NewtonSchulz(Tensor<xpu, 2, DType> x, MSHADOW_HYPER double a = 3.4445,
                                 MSHADOW_HYPER double b = -4.775, MSHADOW_HYPER double c = 2.0315) {
  Temporary<xpu, 2, DType> gram(Shape2(x.size(0), x.size(0)), x.stream_);
  Temporary<xpu, 2, DType> square(Shape2(x.size(0), x.size(0)), x.stream_);
  Temporary<xpu, 2, DType> product(x.shape_, x.stream_);
  gram = dot(x, x.T());
  square = dot(gram, gram);
  square = b * gram + c * square;
  product = dot(square, x);
  x = a * x + product;
}
MSHADOW_INSTANTIATE(NewtonSchulz, float, double);

/// The Newton-Schulz step for matrices with more rows than columns: G = X^T X,
/// X = a X + X (b G + c G G), towards the nearest matrix with orthogonal columns.
/// \param x iterate, whose singular values are at most about 1
/// \param a coefficient of X
/// \param b coefficient of X X^T X
/// \param c coefficient of X X^T X X^T X
template <typename xpu, typename DType>
MSHADOW_KERNEL void NewtonSchulzTall(Tensor<xpu, 2, DType> x, MSHADOW_HYPER double a = 3.4445,
                                     MSHADOW_HYPER double b = -4.775,
                                     MSHADOW_HYPER double c = 2.0315) {
  Temporary<xpu, 2, DType> gram(Shape2(x.size(1), x.size(1)), x.stream_);
  Temporary<xpu, 2, DType> square(Shape2(x.size(1), x.size(1)), x.stream_);
  Temporary<xpu, 2, DType> product(x.shape_, x.stream_);
  gram = dot(x.T(), x);
  square = dot(gram, gram);
  square = b * gram + c * square;
  product = dot(x, square);
  x = a * x + product;
}
MSHADOW_INSTANTIATE(NewtonSchulzTall, float, double);

/// Muon, the step: w = (1 - lr decay) w - lr scale direction. torch.optim.Muon's scale is
/// sqrt(max(1, rows / columns)); with adjust_lr_fn="match_rms_adamw" it is 0.2 sqrt(max(rows,
/// columns)).
/// \param weight parameters, updated in place
/// \param direction result of the Newton-Schulz steps
/// \param lr learning rate
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param match_rms whether the scale is that by which updates are as long as AdamW's
template <typename xpu, typename DType>
MSHADOW_KERNEL void MuonStep(MSHADOW_PARAMETER Tensor<xpu, 2, DType> weight,
                             const Tensor<xpu, 2, Promoted<DType>> &direction,
                             MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double decay = 0.1,
                             MSHADOW_HYPER bool match_rms = false) {
  const double rows = static_cast<double>(weight.size(0));
  const double columns = static_cast<double>(weight.size(1));
  const double longer = rows > columns ? rows : columns;
  const double scale = match_rms ? 0.2 * math::sqrt(longer) : math::sqrt(longer / columns);
  const double rate = lr * scale;
  weight = tcast<DType>((1.0 - lr * decay) * tcast<Promoted<DType>>(weight) - rate * direction);
}
MSHADOW_INSTANTIATE(MuonStep, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_MUON_H_
