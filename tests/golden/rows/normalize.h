// A rule that reduces rows and uses a function twice: the row has a buffer for it.
#include <mshadow/kernel.h>

namespace nn {
using namespace mshadow;
using namespace mshadow::expr;

/// Each row over the sum of its exponentials, in place.
/// \param x inputs, then the result
template <typename xpu, typename DType>
MSHADOW_KERNEL void Normalize(Tensor<xpu, 2, DType> x) {
  Temporary<xpu, 2, float> e(x.shape_, x.stream_);
  Temporary<xpu, 1, float> total(Shape1(x.size(0)), x.stream_);
  e = F<op::exp>(tcast<float>(x));
  total = sumall_except_dim<0>(e);
  x = tcast<DType>(e / broadcast<0>(total, x.shape_));
}
MSHADOW_INSTANTIATE(Normalize, float, half::half_t);
}  // namespace nn
