// SPDX-License-Identifier: Apache-2.0
// Three statements, a prologue, element types in float and in 16 bits.
#include <mshadow/kernel.h>

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// AdamW: Adam with decoupled weight decay, applied before the step.
/// Loshchilov & Hutter 2019, Algorithm 2.
/// \param weight parameters, updated in place
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AdamW(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                          MSHADOW_STATE(0) Tensor<xpu, dim, float> mean,
                          MSHADOW_STATE(0) Tensor<xpu, dim, float> variance,
                          MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                          MSHADOW_HYPER float lr = 0.001f, MSHADOW_HYPER float beta1 = 0.9f,
                          MSHADOW_HYPER float beta2 = 0.999f, MSHADOW_HYPER float eps = 1e-8f,
                          MSHADOW_HYPER float decay = 0.01f, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double bias1 = 1.0 - math::pow(static_cast<double>(beta1), step);
  const double bias2 = 1.0 - math::pow(static_cast<double>(beta2), step);
  const float step_size = static_cast<float>(lr / bias1);
  const float inv_bias2 = static_cast<float>(1.0 / math::sqrt(bias2));
  auto g = tcast<float>(grad);
  mean = beta1 * mean + (1.0f - beta1) * g;
  variance = beta2 * variance + (1.0f - beta2) * F<op::square>(g);
  weight = tcast<DType>((1.0f - lr * decay) * tcast<float>(weight) -
                        step_size * mean / (F<op::square_root>(variance) * inv_bias2 + eps));
}
MSHADOW_INSTANTIATE(AdamW, float, half::half_t, bfloat::bf16_t);
}  // namespace optim
