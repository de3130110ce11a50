// SPDX-License-Identifier: Apache-2.0
/// \file clip_norm.h
/// Clipping by the global norm: the length of all gradients together, which stays where it is
/// computed. Zero an element, add every gradient to it, clip every gradient by it.
#ifndef SPECS_OPTIM_CLIP_NORM_H_
#define SPECS_OPTIM_CLIP_NORM_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// Adds a tensor's squared length: total = total + sum(x^2).
/// \param total one element, double for a tensor of double, else float
/// \param in one of the tensors
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AddSquaredNorm(Tensor<xpu, 1, Promoted<DType>> total,
                                   const Tensor<xpu, dim, DType> &in) {
  total += reduce_all<red::sum>(F<op::square>(tcast<Promoted<DType>>(in)));
}
MSHADOW_INSTANTIATE(AddSquaredNorm, float, double, half::half_t, bfloat::bf16_t);

/// Clips by the global norm: g = g min(1, limit / (sqrt(total) + 1e-6)). Pascanu, Mikolov and
/// Bengio 2013; the constant is that of torch.nn.utils.clip_grad_norm_.
/// \param grad gradient, clipped in place
/// \param total squared length of all gradients, from AddSquaredNorm: one element
/// \param limit greatest length
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ClipByNorm(MSHADOW_GRADIENT Tensor<xpu, dim, DType> grad,
                               const Tensor<xpu, 1, Promoted<DType>> &total,
                               MSHADOW_HYPER double limit = 1.0) {
  auto factor = F<op::minimum>(limit / (F<op::square_root>(total) + 1e-6), 1.0);
  grad = tcast<DType>(tcast<Promoted<DType>>(grad) * broadcast_scalar(factor, grad.shape_));
}
MSHADOW_INSTANTIATE(ClipByNorm, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_CLIP_NORM_H_
