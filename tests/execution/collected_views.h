// SPDX-License-Identifier: Apache-2.0
// Views whose rows are as short as pixels, and elsewhere in their tensors.
#include <mshadow/kernel.h>

namespace collected_views {
using namespace mshadow;
using namespace mshadow::expr;

/// The columns of an image of pixels in reverse order, beside another image.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Flip(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out += flip(in, 1);
}
MSHADOW_INSTANTIATE(Flip, float, double, half::half_t, uint8_t);

/// The channels of pixels in reverse order, minus what is a pixel further.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Channels(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                             const Tensor<xpu, 3, int32_t> &other) {
  out = flip(in, 2) - tcast<DType>(slice<1>(flip(other, 0), 1, out.size(1) + 1));
}
MSHADOW_INSTANTIATE(Channels, float, double);

/// A matrix upside down, of rows for which the launch knows that they are short.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Upside(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = flip(in, 0) * DType(2);
}
MSHADOW_INSTANTIATE(Upside, float, int8_t);

/// The rows of an image become columns; in branches, too.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Turn(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in, bool doubles) {
  auto turned = transpose(in, Shape3(1, 0, 2));
  if (doubles) {
    out = turned * DType(2);
  } else {
    out = turned;
  }
}
MSHADOW_INSTANTIATE(Turn, float, uint8_t);
}  // namespace collected_views
