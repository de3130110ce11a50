// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Every reducer, scales on both sides, 16-bit tensors, which are summed in float.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Reduce(Tensor<xpu, 1, DType> total, Tensor<xpu, 1, DType> top,
                           const Tensor<xpu, dim, DType> &in, float scale) {
  Temporary<xpu, 1, DType> least(Shape1(1), in.stream_);
  total = scale * reduce_all<red::sum>(in);
  total += 3.0f * (reduce_all<red::sum>(F<op::square>(in)) * scale);
  top = reduce_all<red::maximum>(in - broadcast_scalar(total, in.shape_));
  least = reduce_all<red::minimum>(in);
  top = top - least;
}
MSHADOW_INSTANTIATE(Reduce, float, half::half_t);

/// A value of the caller's, in a rule that reduces nothing.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Scaled(Tensor<xpu, dim, DType> out, const Tensor<xpu, 1, float> &scale) {
  out *= tcast<DType>(broadcast_scalar(1.0f / scale, out.shape_));
}
MSHADOW_INSTANTIATE(Scaled, float);

/// A step in memory.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void DecayedByStep(Tensor<xpu, dim, DType> out,
                                  MSHADOW_STEP const Tensor<xpu, 1, float> &step) {
  out *= tcast<DType>(broadcast_scalar(1.0f / step, out.shape_));
}
MSHADOW_INSTANTIATE(DecayedByStep, float);
}  // namespace specs
