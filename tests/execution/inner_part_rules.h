// SPDX-License-Identifier: Apache-2.0
// Rules that read and write parts of inner dimensions, whose rows lie at two distances. The tests
// give all tensors one shape, so parts that meet are of one length.
#include <mshadow/kernel.h>

namespace inner_part_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Halves of channels, each from the other tensor's; every saver.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Halves(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  const index_t half = in.size(1) / 2, rest = in.size(1) - half;
  auto left = slice<1>(out, 0, half);
  left = slice<1>(in, 0, half) * slice<1>(in, rest, in.size(1));
  left += slice<1>(in, 0, half);
  auto right = slice<1>(out, rest, out.size(1));
  right -= left;
  right *= slice<1>(in, rest, in.size(1));
}
MSHADOW_INSTANTIATE(Halves, float, double, half::half_t, bfloat::bf16_t, int8_t, uint8_t, int32_t,
                    int64_t);

/// One half becomes what the other is, in place.
template <typename xpu, typename DType>
MSHADOW_KERNEL void InPlace(Tensor<xpu, 4, DType> t, float scale) {
  const index_t half = t.size(2) / 2;
  auto right = slice<2>(t, t.size(2) - half, t.size(2));
  slice<2>(t, 0, half) = F<op::sigmoid>(tcast<float>(right)) * scale;
  right += DType(1) * slice<2>(t, 0, half);
}
MSHADOW_INSTANTIATE(InPlace, float);

/// The gradient of a gated linear unit of channels, with values of channels and of columns, and
/// where a scalar says so nothing.
template <typename xpu, typename DType>
MSHADOW_KERNEL void GatedGrad(Tensor<xpu, 4, DType> in_grad, const Tensor<xpu, 4, DType> &in,
                              const Tensor<xpu, 4, DType> &out_grad,
                              const Tensor<xpu, 1, float> &bias, bool gated) {
  const index_t half = in.size(1) / 2;
  auto value = slice<1>(in, 0, half), grad = slice<1>(out_grad, 0, half);
  auto gate = F<op::sigmoid>(tcast<float>(slice<1>(in, half, 2 * half)));
  if (gated) {
    slice<1>(in_grad, 0, half) = tcast<DType>(tcast<float>(grad) * gate);
    slice<1>(in_grad, half, 2 * half) =
        tcast<DType>(tcast<float>(grad) * tcast<float>(value) * gate * (1.0f - gate) +
                     broadcast<3>(slice<0>(bias, 0, in.size(3)), grad.shape_));
  }
}
MSHADOW_INSTANTIATE(GatedGrad, float, half::half_t);

/// Numbers alone; ranges of two dimensions, which meet where both have one element.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Edges(Tensor<xpu, 4, DType> out, Tensor<xpu, 3, DType> rows) {
  const index_t some = out.size(1) < 1 ? 0 : 1;
  slice<1>(out, 0, some) = DType(2);
  MSHADOW_STAGE();
  const index_t middle = rows.size(1) / 2;
  slice<1>(rows, middle, rows.size(1)) *= DType(3);
}
MSHADOW_INSTANTIATE(Edges, float, int32_t);

/// Statistics of some channels, which are taken away in place.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SomeChannels(Tensor<xpu, 4, DType> out, Tensor<xpu, 1, float> mean,
                                 const Tensor<xpu, 4, DType> &in) {
  const index_t half = in.size(1) / 2, some = half < mean.size(0) ? half : mean.size(0);
  auto images = slice<1>(in, in.size(1) - some, in.size(1));
  auto means = mean.Slice(0, some);
  means = 0.25f * sumall_except_dim<1>(tcast<float>(images));
  slice<1>(out, 0, some) = tcast<DType>(tcast<float>(images) - broadcast<1>(means, images.shape_));
}
MSHADOW_INSTANTIATE(SomeChannels, float, half::half_t);

/// A bias for some channels.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SomeBias(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                             const Tensor<xpu, 1, DType> &bias) {
  const index_t half = in.size(1) / 2, some = half < bias.size(0) ? half : bias.size(0);
  auto images = slice<1>(in, 0, some);
  slice<1>(out, 0, some) =
      F<op::sigmoid>(images + broadcast<1>(bias.Slice(0, some), images.shape_));
}
MSHADOW_INSTANTIATE(SomeBias, float);

/// Sums of columns of some rows of each image.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SomeColumns(Tensor<xpu, 3, DType> out, Tensor<xpu, 1, float> total,
                                const Tensor<xpu, 3, DType> &in) {
  const index_t some = in.size(1) - in.size(1) / 3;
  auto rows = slice<1>(in, 0, some);
  auto sums = total.Slice(0, in.size(2));
  sums = sumall_except_dim<2>(tcast<float>(rows));
  slice<1>(out, in.size(1) - some, in.size(1)) =
      rows - tcast<DType>(broadcast<2>(sums, rows.shape_));
}
MSHADOW_INSTANTIATE(SomeColumns, float, half::half_t);

/// A norm of some rows of each image, and what it makes of them; then views.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SomeNorm(Tensor<xpu, 3, DType> out, Tensor<xpu, 3, DType> turned,
                             const Tensor<xpu, 3, DType> &in) {
  const index_t half = in.size(1) / 2;
  Temporary<xpu, 1, float> total(Shape1(1), in.stream_);
  auto rows = slice<1>(in, 0, half);
  total = reduce_all<red::sum>(F<op::square>(tcast<float>(rows)));
  slice<1>(out, 0, half) =
      tcast<DType>(tcast<float>(rows) * broadcast_scalar(F<op::square_root>(total), rows.shape_));
  MSHADOW_STAGE();
  slice<1>(turned, half, 2 * half) = flip(slice<1>(out, 0, half), 2) + slice<1>(in, half, 2 * half);
}
MSHADOW_INSTANTIATE(SomeNorm, float, half::half_t);

/// Ranges of the first, of an inner and of the last dimension, which a kernel cannot join alike.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Mixed(Tensor<xpu, 3, DType> out, Tensor<xpu, 3, DType> other,
                          const Tensor<xpu, 3, DType> &in) {
  const index_t rows = in.size(1), cols = in.size(2);
  slice<1>(out, 0, rows) += slice<2>(in, 0, cols) * slice<0>(in, 0, in.size(0));
  other = slice<1>(out, 0, rows) + in;
}
MSHADOW_INSTANTIATE(Mixed, float, int64_t);

/// A temporary of a part's shape, before which nothing is written.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Swapped(Tensor<xpu, 3, DType> t) {
  const index_t half = t.size(1) / 2;
  auto left = slice<1>(t, 0, half), right = slice<1>(t, half, 2 * half);
  Temporary<xpu, 3, DType> kept(left.shape_, t.stream_);
  kept = right * DType(2);
  right = left + kept;
  left = kept + DType(1);
}
MSHADOW_INSTANTIATE(Swapped, float, int32_t);

/// Temporaries of a part's shape and of the length of its range, which two kernels use.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Kept(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  const index_t half = in.size(1) / 2;
  auto left = slice<1>(in, 0, half), right = slice<1>(in, half, 2 * half);
  Temporary<xpu, 3, DType> turned(right.shape_, in.stream_);
  Temporary<xpu, 1, DType> sums(Shape1(left.shape_[1]), in.stream_), tops(Shape1(half), in.stream_);
  turned = right * DType(2);
  MSHADOW_STAGE();
  sums = sumall_except_dim<1>(left);
  tops = reduce_except_dim<1, red::maximum>(left);
  slice<1>(out, 0, half) = left - broadcast<1>(sums + tops, left.shape_);
  MSHADOW_STAGE();
  slice<1>(out, half, 2 * half) = flip(turned, 2) + turned;
}
MSHADOW_INSTANTIATE(Kept, float, int32_t);

/// What is joined are parts of an inner dimension.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Joined(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                           const Tensor<xpu, 1, DType> &bias) {
  const index_t some = in.size(1) / 3;
  concat<1>(slice<1>(out, 0, some), slice<1>(out, some, out.size(1))) =
      in * DType(2) + broadcast<2>(slice<0>(bias, 0, in.size(2)), in.shape_);
}
MSHADOW_INSTANTIATE(Joined, float, int32_t);

/// Channels that overlap, each statement after those before it.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Staggered(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                              bool more) {
  const index_t n = in.size(1), half = n / 2, third = n / 3;
  slice<1>(out, 0, half) = slice<1>(in, 0, half);
  if (more) slice<1>(out, third, third + half) += slice<1>(in, half, 2 * half);
  slice<1>(out, n - half, n) *= slice<1>(in, 0, half);
  slice<1>(out, 0, third) -= slice<1>(in, third, 2 * third);
}
MSHADOW_INSTANTIATE(Staggered, float, int32_t);

/// A rule for images, which is called with some of them and with parts of theirs.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Scaled(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                           float scale) {
  out += in * DType(scale);
}
MSHADOW_INSTANTIATE(Scaled, float, int32_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void ScaledParts(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  const index_t half = in.size(0) / 2;
  Scaled(out.Slice(0, half), in.Slice(half, 2 * half), 3.0f);
  auto rest = out.Slice(half, 2 * half);
  Scaled(rest, in.Slice(0, half), 2.0f);
}
MSHADOW_INSTANTIATE(ScaledParts, float, int32_t);

/// Ranges of an inner dimension and of others, and of an inner one twice.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Boxes(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  const index_t n = in.size(1), half = n / 2, cols = in.size(3) / 2, some = in.size(0) / 2;
  slice<3>(slice<1>(out, 0, half), 0, cols) = slice<1>(slice<3>(in, cols, 2 * cols), n - half, n);
  slice<3>(slice<1>(out, 0, half), cols, 2 * cols) += slice<1>(slice<3>(in, 0, cols), 0, half);
  auto rest = slice<1>(out, n - half, n);
  slice<0>(rest, 0, some) += slice<1>(slice<0>(in, 0, some), 0, half);
  slice<1>(slice<1>(out, 0, 2 * half), half, 2 * half) *= slice<1>(in, 0, half);
}
MSHADOW_INSTANTIATE(Boxes, float, int8_t);

}  // namespace inner_part_rules
