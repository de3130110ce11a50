// A rule that reduces rows, with a variant and a value per row in and out.
#include <mshadow/kernel.h>

namespace nn {
using namespace mshadow;
using namespace mshadow::expr;

/// Softmax of each row divided by the row's temperature, or the logarithm of that softmax.
/// \param out the result
/// \param log_total logarithm of the sum of the exponentials of each row
/// \param in inputs
/// \param temperature a divisor for each row
template <typename xpu, typename DType>
MSHADOW_KERNEL void Softmax(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> log_total,
                            const Tensor<xpu, 2, DType> &in,
                            const Tensor<xpu, 1, float> &temperature, bool logarithm = false) {
  Temporary<xpu, 1, float> top(Shape1(in.size(0)), in.stream_);
  auto x = tcast<float>(in) / broadcast<0>(temperature, in.shape_);
  top = reduce_except_dim<0, red::maximum>(x);
  auto below = x - broadcast<0>(top, in.shape_);
  log_total = sumall_except_dim<0>(F<op::exp>(below));
  log_total = F<op::log>(log_total);
  if (logarithm) {
    out = tcast<DType>(below - broadcast<0>(log_total, in.shape_));
  } else {
    out = tcast<DType>(F<op::exp>(below - broadcast<0>(log_total, in.shape_)));
  }
}
MSHADOW_INSTANTIATE(Softmax, float, half::half_t);

/// The sum of the exponentials of each row. If `masked`, a mask multiplies them; otherwise a launch
/// does not read the mask.
/// \param total the sums
/// \param in inputs
/// \param mask factors of the exponentials
template <typename xpu, typename DType>
MSHADOW_KERNEL void MaskedTotal(Tensor<xpu, 1, DType> total, const Tensor<xpu, 2, DType> &in,
                                const Tensor<xpu, 2, DType> &mask, bool masked = false) {
  Temporary<xpu, 1, DType> top(Shape1(in.size(0)), in.stream_);
  top = reduce_except_dim<0, red::maximum>(in);
  auto e = F<op::exp>(in - broadcast<0>(top, in.shape_));
  if (masked) {
    total = sumall_except_dim<0>(e * mask);
  } else {
    total = sumall_except_dim<0>(e);
  }
}
MSHADOW_INSTANTIATE(MaskedTotal, float);

/// Each element minus the mean of its row. If `masked`, a mask multiplies the elements first. The
/// launch chooses which expression is reduced, and each pass over a row computes it.
/// \param out the differences
/// \param in inputs
/// \param mask factors of the inputs
template <typename xpu, typename DType>
MSHADOW_KERNEL void MaskedCentre(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                 const Tensor<xpu, 2, DType> &mask, bool masked = false) {
  Temporary<xpu, 2, DType> x(in.shape_, in.stream_);
  Temporary<xpu, 1, DType> total(Shape1(in.size(0)), in.stream_);
  const float scale = 1.0f / static_cast<float>(in.size(1));
  if (masked) {
    x = in * mask;
  } else {
    x = F<op::identity>(in);
  }
  total = sumall_except_dim<0>(x);
  out = x - DType(scale) * broadcast<0>(total, in.shape_);
}
MSHADOW_INSTANTIATE(MaskedCentre, float);
}  // namespace nn
