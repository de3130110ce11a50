// A rule that reduces rows, with a variant and a value per row in and out.
#include <mshadow/kernel.h>

namespace nn {
using namespace mshadow;
using namespace mshadow::expr;

/// Softmax of each row over its temperature, or its logarithm.
/// \param out the result
/// \param log_total logarithm of the sum of the exponentials of each row
/// \param in inputs
/// \param temperature of each row
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

/// Sums of the exponentials of each row, of which a mask may leave some out: a launch without one
/// does not ask memory for it.
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
}  // namespace nn
