// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Scalar conditions around statements.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Conditions(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                               float clip, bool nesterov, int step) {
  float factor = 1.0f;
  if (clip > 0.0f) {
    out = F<op::clip>(in, clip);
    factor = clip;
  } else {
    out = in * 1.0f;
  }
  if (nesterov && step > 1) {
    if (step == 2) out += in;
    const float twice = factor + factor;
    out *= twice;
  }
  if constexpr (sizeof(DType) == 4) out += 4.0f;
  if (true) out *= factor;
}
MSHADOW_INSTANTIATE(Conditions, float);
}  // namespace specs
