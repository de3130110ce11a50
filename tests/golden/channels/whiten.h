// A rule with values for channels: reductions over images, and what is broadcast back.
#include <mshadow/kernel.h>

namespace nn {
using namespace mshadow;
using namespace mshadow::expr;

/// Takes the mean of each channel away, and keeps it.
/// \param out the result
/// \param mean of each channel
/// \param in images, (batch, channel, y, x)
/// \param gain one factor per channel
template <typename xpu, typename DType>
MSHADOW_KERNEL void Whiten(Tensor<xpu, 4, DType> out, Tensor<xpu, 1, float> mean,
                           const Tensor<xpu, 4, DType> &in, const Tensor<xpu, 1, float> &gain) {
  const float share = 1.0f / static_cast<float>(in.size(0) * in.size(2) * in.size(3));
  auto x = tcast<float>(in);
  mean = share * sumall_except_dim<1>(x);
  out = tcast<DType>((x - broadcast<1>(mean, in.shape_)) * broadcast<1>(gain, in.shape_));
}
MSHADOW_INSTANTIATE(Whiten, float, half::half_t);
}  // namespace nn
