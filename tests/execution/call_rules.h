// SPDX-License-Identifier: Apache-2.0
// Rules that call rules: of their own spec and of others, in branches, twice, one inside the other.
#include <specs/normalize/rms_norm.h>
#include <specs/optim/sgd.h>

namespace call_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Limits each element.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Limit(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                          float bound = 1.0f) {
  const float low = -bound;
  out = F<op::maximum>(F<op::minimum>(in, bound), low);
}
MSHADOW_INSTANTIATE(Limit, float, bfloat::bf16_t);

/// A gradient that is limited, then SGD with it; the weight is limited to the default.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void LimitedStep(Tensor<xpu, dim, DType> weight, Tensor<xpu, dim, float> buffer,
                                const Tensor<xpu, dim, DType> &grad, float lr, bool more) {
  Temporary<xpu, dim, DType> limited(grad.shape_, grad.stream_);
  Limit(limited, grad, 2.0f * lr);
  float rate = lr;
  if (more) {
    rate *= 0.5f;
    optim::SGDMomentum(weight, buffer, limited, rate);
  } else {
    optim::SGD(weight, limited, rate, 0.25f);
  }
  Limit(weight, weight);
}
MSHADOW_INSTANTIATE(LimitedStep, float, half::half_t);

/// Calls a rule that calls rules; nothing of one call stays for the next.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void TwoSteps(Tensor<xpu, dim, DType> a, Tensor<xpu, dim, DType> b,
                             Tensor<xpu, dim, float> buffer, const Tensor<xpu, dim, DType> &grad) {
  LimitedStep(a, buffer, grad, 0.5f, true);
  LimitedStep(b, buffer, grad, 0.125f, false);
}
MSHADOW_INSTANTIATE(TwoSteps, float);

/// A rule that reduces rows, between statements of its caller.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ScaledNorm(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> inv_rms,
                               Tensor<xpu, 2, DType> in, const Tensor<xpu, 1, DType> &gain) {
  in *= 0.5f;
  normalize::RmsNorm(out, inv_rms, in, gain);
  out += in;
}
MSHADOW_INSTANTIATE(ScaledNorm, float, bfloat::bf16_t);
}  // namespace call_rules
