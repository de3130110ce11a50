// A rule of several stages: a product, a kernel on its result, a product under a condition, and what
// is kept in between.
#include <mshadow/kernel.h>

namespace nn {
using namespace mshadow;
using namespace mshadow::expr;

/// Two dense layers.
/// \param out one row per sample
/// \param in one row per sample
/// \param first a row for each hidden value
/// \param second a row for each output
/// \param scale of the hidden values
/// \param more adds the inputs' own product
template <typename xpu, typename DType>
MSHADOW_KERNEL void TwoLayers(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                              const Tensor<xpu, 2, DType> &first,
                              const Tensor<xpu, 2, DType> &second, float scale, bool more) {
  Temporary<xpu, 2, DType> hidden(Shape2(in.size(0), first.size(0)), in.stream_);
  hidden = dot(in, first.T());
  hidden = F<op::relu>(hidden * scale);
  out = 0.5f * dot(hidden, second.T());
  if (more) out += dot(in, second.T());
}
MSHADOW_INSTANTIATE(TwoLayers, float, double);

}  // namespace nn
