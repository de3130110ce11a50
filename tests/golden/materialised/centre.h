// SPDX-License-Identifier: Apache-2.0
// A reduction of two dimensions that is broadcast: kernels of its own compute it first.
#include <mshadow/kernel.h>

namespace toy {
using namespace mshadow;
using namespace mshadow::expr;

/// Subtracts the mean over the rows and columns of each image from it.
/// \param x images: samples, rows, channels, columns
/// \param centre whether to do so
template <typename xpu, typename DType>
MSHADOW_KERNEL void Centre(Tensor<xpu, 4, DType> x, bool centre) {
  const index_t rows = x.size(1), cols = x.size(3);
  const DType share = DType(1.0f / (rows * cols));
  auto sum = reduce_keepdim<red::sum, false>(reduce_keepdim<red::sum, false>(x, 3), 1);
  if (centre) x -= broadcast_keepdim(broadcast_keepdim(share * sum, 1, rows), 3, cols);
}
MSHADOW_INSTANTIATE(Centre, float);
}  // namespace toy
