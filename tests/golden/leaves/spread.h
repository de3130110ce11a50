// A rule that reduces rows and then columns, with another pass over the columns' elements.
#include <mshadow/kernel.h>

namespace nn {
using namespace mshadow;
using namespace mshadow::expr;

/// Divides each row by its sum, then takes the mean of each column away.
/// \param out the result
/// \param share each row by its sum
/// \param in one row per sample
template <typename xpu, typename DType>
MSHADOW_KERNEL void Spread(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> share,
                           const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> mean(Shape1(in.size(1)), in.stream_);
  const float inv_count = 1.0f / static_cast<float>(in.size(0));
  total = sumall_except_dim<0>(tcast<float>(in));
  share = tcast<DType>(tcast<float>(in) / broadcast<0>(total, in.shape_));
  mean = inv_count * sum_rows(tcast<float>(share));
  out = tcast<DType>(tcast<float>(share) - broadcast<1>(mean, in.shape_));
}
MSHADOW_INSTANTIATE(Spread, float, half::half_t);
}  // namespace nn
