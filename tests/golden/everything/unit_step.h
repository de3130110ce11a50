// A rule that reduces everything, with a variant, a value in and out, and one kept between sweeps.
#include <mshadow/kernel.h>

namespace nn {
using namespace mshadow;
using namespace mshadow::expr;

/// Momentum, and a step as long as the rate, or at most so long.
/// \param weight parameters
/// \param momentum running sum of the gradients
/// \param length of the momentum: one element
/// \param grad gradient of the loss with respect to the parameters
/// \param rate one element
/// \param shorter whether a short momentum stays short
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void UnitStep(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                             MSHADOW_STATE(0) Tensor<xpu, dim, float> momentum,
                             Tensor<xpu, 1, float> length,
                             MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                             const Tensor<xpu, 1, float> &rate, bool shorter = false) {
  Temporary<xpu, 1, float> scale(Shape1(1), weight.stream_);
  momentum = 0.9f * momentum + tcast<float>(grad);
  length = reduce_all<red::sum>(momentum * momentum);
  length = F<op::square_root>(length);
  if (shorter) {
    scale = rate / F<op::maximum>(length, 1.0f);
  } else {
    scale = rate / length;
  }
  weight -= tcast<DType>(broadcast_scalar(scale, weight.shape_) * momentum);
}
MSHADOW_INSTANTIATE(UnitStep, float, half::half_t);
}  // namespace nn
