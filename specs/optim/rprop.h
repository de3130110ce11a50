// SPDX-License-Identifier: Apache-2.0
/// \file rprop.h
/// Rprop: each weight has a step size of its own, and moves by the sign of its gradient.
#ifndef SPECS_OPTIM_RPROP_H_
#define SPECS_OPTIM_RPROP_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// The factor of a step size: `grow` while the gradient keeps its sign, `shrink` where it changes.
struct rprop_factor {
  template <typename T>
  MSHADOW_XINLINE static T Map(T product, T shrink, T grow) {
    return product > T(0) ? grow : (product < T(0) ? shrink : T(1));
  }
};

/// A gradient, or 0 where its sign changed: Rprop does not step there.
struct rprop_grad {
  template <typename T>
  MSHADOW_XINLINE static T Map(T grad, T product) {
    return product < T(0) ? T(0) : grad;
  }
};

/// Rprop: s = s * (eta_plus where g prev > 0, eta_minus where g prev < 0), limited to [step_min,
/// step_max]; g = 0 where g prev < 0; w = w - sign(g) s; prev = g. s begins as lr. Riedmiller &
/// Braun 1993 without the step back; the order of torch.optim.Rprop.
/// \param weight parameters, updated in place
/// \param prev gradient of the last step
/// \param step_size step size of each weight; the first step adds lr to the 0 that is there
/// \param grad gradient of the loss with respect to the parameters
/// \param lr step size before the first step; later calls do not use it
/// \param eta_minus factor of a step size where the gradient changes its sign
/// \param eta_plus factor of a step size where it does not
/// \param step_min least step size
/// \param step_max greatest step size
/// \param step number of this update, from 1
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rprop(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                          MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> prev,
                          MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> step_size,
                          MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                          MSHADOW_HYPER double lr = 0.01, MSHADOW_HYPER double eta_minus = 0.5,
                          MSHADOW_HYPER double eta_plus = 1.2, MSHADOW_HYPER double step_min = 1e-6,
                          MSHADOW_HYPER double step_max = 50.0, MSHADOW_STEP int step = 1,
                          MSHADOW_HYPER bool maximize = false) {
  MSHADOW_CHECK_STEP(step);
  const double sign = maximize ? -1.0 : 1.0;
  const double first = step == 1 ? lr : 0.0;
  auto g = sign * tcast<Promoted<DType>>(grad);
  auto product = g * prev;
  step_size = (step_size + first) * F<rprop_factor>(product, eta_minus, eta_plus);
  step_size = F<op::minimum>(F<op::maximum>(step_size, step_min), step_max);
  prev = F<rprop_grad>(g, product);
  weight = tcast<DType>(tcast<Promoted<DType>>(weight) - F<op::sign>(prev) * step_size);
}
MSHADOW_INSTANTIATE(Rprop, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_RPROP_H_
