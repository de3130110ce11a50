// A rule that reduces columns, with a variant, a value of each row and a value kept.
#include <mshadow/kernel.h>

namespace nn {
using namespace mshadow;
using namespace mshadow::expr;

/// Takes the weighted mean of each column away.
/// \param out the result
/// \param average moving average of the means
/// \param in one row per sample
/// \param weight of each sample; they add up to 1
/// \param momentum weight of the new mean in the average
/// \param use_average takes the average away, not the mean
template <typename xpu, typename DType>
MSHADOW_KERNEL void Centre(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> average,
                           const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, float> &weight,
                           float momentum, bool use_average = false) {
  Temporary<xpu, 1, float> mean(Shape1(in.size(1)), in.stream_);
  auto x = tcast<float>(in);
  mean = sum_rows(x * broadcast<0>(weight, in.shape_));
  average += momentum * (mean - average);
  if (use_average) mean = F<op::identity>(average);
  out = tcast<DType>(x - broadcast<1>(mean, in.shape_));
}
MSHADOW_INSTANTIATE(Centre, float, half::half_t);
}  // namespace nn
