// SPDX-License-Identifier: Apache-2.0
// Rules whose arguments are written in shapes that rows do not keep.
#include <mshadow/kernel.h>

namespace reshaped_views {
using namespace mshadow;
using namespace mshadow::expr;

/// A matrix of any size becomes a matrix of another one; then it is changed in its own shape.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Refill(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 2, DType> &more) {
  reshape(out, in.shape_) = in * DType(2);
  out += more;
}
MSHADOW_INSTANTIATE(Refill, float, half::half_t, int8_t);

/// Pixels as rows of three channels.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Pixels(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &red,
                           const Tensor<xpu, 1, float> &gain) {
  const index_t pixels = red.size(0);
  reshape(out, Shape2(pixels, 3)) =
      tcast<DType>(tcast<float>(red) * broadcast<1>(gain, red.shape_));
}
MSHADOW_INSTANTIATE(Pixels, float, uint8_t);

/// A vector of all elements, and a sum of it.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Flat(Tensor<xpu, 3, DType> out, Tensor<xpu, 1, float> sum,
                         const Tensor<xpu, 1, DType> &in) {
  auto all = out.FlatTo1D();
  all = mirror(in);
  all *= in;
  sum = reduce_all<red::sum>(tcast<float>(all));
  out = out + DType(1);
}
MSHADOW_INSTANTIATE(Flat, float);

/// Of any rank, in the shape of another tensor.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Like(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  reshape(out, in.shape_) = in * DType(2);
  reshape(out, in.shape_) -= DType(1);
}
MSHADOW_INSTANTIATE(Like, float);

/// A product of which a tensor of images is the result.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Convolve(Tensor<xpu, 3, DType> out, const Tensor<xpu, 2, DType> &weight,
                             const Tensor<xpu, 3, DType> &image) {
  const index_t columns = out.size(1) * out.size(2);
  Temporary<xpu, 2, DType> patches(Shape2(weight.size(1), columns), image.stream_);
  patches = unpack_patch2col(image, 3, 3, 1);
  reshape(out, Shape2(out.size(0), columns)) = dot(weight, patches);
}
MSHADOW_INSTANTIATE(Convolve, float);

/// Images that one kernel takes as matrices, since other statements do.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Centre(Tensor<xpu, 3, DType> out, Tensor<xpu, 3, DType> state,
                           const Tensor<xpu, 3, DType> &in, const Tensor<xpu, 3, DType> &gain) {
  Temporary<xpu, 3, DType> h(in.shape_, in.stream_);
  h = in * gain;
  auto m = h.FlatTo2D();
  out.FlatTo2D() =
      m - broadcast_with_axis(reduce_with_axis<red::sum, false>(m, 1), 0, m.size(1));
  state += h;
}
MSHADOW_INSTANTIATE(Centre, float);

}  // namespace reshaped_views
