// A rule that goes over channels once, neighbours together, and reads a value of each in its sweep.
#include <mshadow/kernel.h>

namespace nn {
using namespace mshadow;
using namespace mshadow::expr;

/// Adds to the gradient of a gain of channels.
/// \param gain_grad one element per channel
/// \param out_grad gradient by the result, (batch, channel, y, x)
/// \param in images
/// \param mean of each channel
template <typename xpu, typename DType>
MSHADOW_KERNEL void GainGrad(Tensor<xpu, 1, float> gain_grad, const Tensor<xpu, 4, DType> &out_grad,
                             const Tensor<xpu, 4, DType> &in, const Tensor<xpu, 1, float> &mean) {
  auto centred = tcast<float>(in) - broadcast<1>(mean, in.shape_);
  gain_grad += sumall_except_dim<1>(tcast<float>(out_grad) * centred);
}
MSHADOW_INSTANTIATE(GainGrad, float, half::half_t);
}  // namespace nn
