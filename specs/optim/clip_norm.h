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

/// Adds a tensor's squared length: total = total + sum(x^2), in float.
/// \param total one element
/// \param in one of the tensors
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AddSquaredNorm(Tensor<xpu, 1, float> total, const Tensor<xpu, dim, DType> &in) {
  total += reduce_all<red::sum>(F<op::square>(tcast<float>(in)));
}
MSHADOW_INSTANTIATE(AddSquaredNorm, float, half::half_t, bfloat::bf16_t);

/// Clips by the global norm: g = g min(1, limit / (sqrt(total) + 1e-6)). Pascanu, Mikolov and
/// Bengio 2013; the constant is that of torch.nn.utils.clip_grad_norm_.
/// \param grad gradient, clipped in place
/// \param total squared length of all gradients, from AddSquaredNorm: one element
/// \param limit greatest length
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ClipByNorm(MSHADOW_GRADIENT Tensor<xpu, dim, DType> grad,
                               const Tensor<xpu, 1, float> &total,
                               MSHADOW_HYPER float limit = 1.0f) {
  auto factor = F<op::minimum>(limit / (F<op::square_root>(total) + 1e-6f), 1.0f);
  grad = tcast<DType>(tcast<float>(grad) * broadcast_scalar(factor, grad.shape_));
}
MSHADOW_INSTANTIATE(ClipByNorm, float, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_CLIP_NORM_H_
