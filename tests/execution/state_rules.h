// SPDX-License-Identifier: Apache-2.0
// Optimizers whose tensors have roles and types that those of no shipped one have.
#include <mshadow/kernel.h>

namespace state_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// A weight in float, whose gradient and copy have 16 bits: 20 bytes for each element.
template <typename xpu, int dim, typename Short>
MSHADOW_KERNEL void MasterMomentum(MSHADOW_PARAMETER Tensor<xpu, dim, float> weight,
                                   MSHADOW_STATE(0.5) Tensor<xpu, dim, float> momentum,
                                   Tensor<xpu, dim, Short> copy,
                                   MSHADOW_GRADIENT const Tensor<xpu, dim, Short> &grad,
                                   MSHADOW_HYPER float lr = 0.1f) {
  momentum = 0.9f * momentum + tcast<float>(grad);
  weight -= lr * momentum;
  copy = tcast<Short>(weight);
}
MSHADOW_INSTANTIATE(MasterMomentum, half::half_t, bfloat::bf16_t);

/// The step is in memory: w = w - lr / step g.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ReadsStep(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                              MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                              MSHADOW_STEP const Tensor<xpu, 1, float> &step,
                              MSHADOW_HYPER float lr = 0.1f) {
  auto g = tcast<float>(grad);
  weight = tcast<DType>(tcast<float>(weight) - lr / broadcast_scalar(step, weight.shape_) * g);
}
MSHADOW_INSTANTIATE(ReadsStep, float, half::half_t);

/// Counts its steps itself, but not those with skip = 1, in which the weight stays.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void CountsSteps(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                MSHADOW_STATE(0) Tensor<xpu, dim, DType> sum,
                                MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                MSHADOW_STEP Tensor<xpu, 1, DType> step,
                                const Tensor<xpu, 1, DType> &skip) {
  step += DType(1) - skip;
  MSHADOW_STAGE();
  auto taken = DType(1) - broadcast_scalar(skip, weight.shape_);
  sum += taken * grad;
  weight -= taken * sum / broadcast_scalar(step, weight.shape_);
}
MSHADOW_INSTANTIATE(CountsSteps, float, double);

}  // namespace state_rules
