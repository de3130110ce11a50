// SPDX-License-Identifier: Apache-2.0
// Rules that read elements at other places. The tests give all tensors one shape, so each view is
// put together to have it, too.
#include <mshadow/kernel.h>

#include "view_parts.h"

namespace view_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Rows turned by some columns: slices, and one behind the other.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Turn(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const index_t by = in.size(1) / 3;
  auto turned = concat<1>(slice<1>(in, by, in.size(1)), slice<1>(in, 0, by));
  out = turned * turned - in;
}
MSHADOW_INSTANTIATE(Turn, float, double, half::half_t, bfloat::bf16_t, int8_t, uint8_t, int32_t,
                    int64_t);

/// Reversed in several ways; which, scalars say.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Reverse(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, float> sum,
                            const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 2, DType> &other,
                            bool up, bool both) {
  if (up) {
    out = flip(in, 0) + other;
  } else {
    out = mirror(in) - other;
    sum += tcast<float>(flip(in, 1) * other);
  }
  if (both) sum += tcast<float>(flip(flip(other, 0), 1));
}
MSHADOW_INSTANTIATE(Reverse, float, half::half_t, int32_t);

/// Columns read as rows, and back.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Transposed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = reshape(in.T(), in.shape_) + swapaxis<1, 0>(in.T()) -
        transpose(transpose(in, Shape2(1, 0)), Shape2(1, 0)) * 2.0f;
}
MSHADOW_INSTANTIATE(Transposed, float, double);

/// A name's scalars are those of where it stands, whatever they become; composed, too.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Named(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  index_t by = in.size(1) / 2;
  auto front = slice<1>(in, 0, by);
  auto back = slice<1>(in, by, in.size(1));
  by = 0;
  out = concat<1>(flip(back, 1), front) + in;
}
MSHADOW_INSTANTIATE(Named, float, int32_t);

/// Elements of a vector by indices and again, and those of a matrix and its border in other shapes.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Again(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                          const Tensor<xpu, 1, DType> &bias, const Tensor<xpu, 1, int32_t> &index) {
  const index_t rows = in.size(0), cols = in.size(1);
  auto chosen = take(index, broadcast<0>(bias, Shape2(cols, cols)));
  out = in - chosen * reshape(broadcast_with_axis(bias, 0, rows), in.shape_);
  out += reshape(mirror(in), in.shape_) * broadcast<1>(bias, in.shape_);
  out += broadcast<0>(mat_choose_row_element(in, index), in.shape_);
}
MSHADOW_INSTANTIATE(Again, float, half::half_t);

/// Images that are padded, cropped, magnified and pooled.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Images(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  const index_t rows = in.size(2), cols = in.size(3);
  auto blurred = pool<red::sum>(pad(in, 1), 3, 3, 1);
  out = in - crop(pad(in * in, 1, 2), Shape2(rows, cols), 0, 1);
  out += crop(upsampling_nearest(in, 2), Shape2(rows, cols)) * 0.25f + blurred;
  out -= pool<red::maximum>(pad(in, 0, 1), 1, 3, 1);
  out -= pool<view_parts::latest>(pad(in, 1), 3, 3, 1);
}
MSHADOW_INSTANTIATE(Images, float, double);

/// An expression of one's own, around and inside of others.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Plough(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = view_parts::plough(in) + flip(in, 1);
  out *= view_parts::plough(tcast<DType>(tcast<float>(in) * 0.5f));
}
MSHADOW_INSTANTIATE(Plough, float, half::half_t);

/// Vectors that are turned and repeated, and rows that indices choose.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Chosen(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 1, DType> &bias, const Tensor<xpu, 1, DType> &scale,
                           const Tensor<xpu, 1, IType> &label) {
  out = in * broadcast<1>(flip(bias, 0), in.shape_) + broadcast<0>(scale, in.shape_);
  out += one_hot_encode<DType>(label, in.size(1)) * mirror(in);
  out -= broadcast_to(slice<0>(in, 0, in.size(0) < 1 ? 0 : 1), in.shape_);
}
MSHADOW_INSTANTIATE(Chosen, Types<float, int32_t>);

/// The softmax of turned rows, and what reduces columns and everything.
template <typename xpu, typename DType>
MSHADOW_KERNEL void TurnedSoftmax(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, float> top(Shape1(out.size(0)), in.stream_),
      total(Shape1(out.size(0)), in.stream_);
  auto turned = tcast<float>(mirror(in));
  top = reduce_except_dim<0, red::maximum>(turned);
  auto e = F<op::exp>(turned - broadcast<0>(top, out.shape_));
  total = sumall_except_dim<0>(e);
  out = tcast<DType>(e / broadcast<0>(total, out.shape_));
}
MSHADOW_INSTANTIATE(TurnedSoftmax, float, half::half_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void TurnedColumns(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> total,
                                  const Tensor<xpu, 2, DType> &in) {
  total = sumall_except_dim<1>(tcast<float>(flip(in, 0) * mirror(in)));
  out = mirror(in) + tcast<DType>(broadcast<1>(total, out.shape_));
}
MSHADOW_INSTANTIATE(TurnedColumns, float, half::half_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void TurnedNorm(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, float> total(Shape1(1), in.stream_);
  auto turned = tcast<float>(mirror(in));
  total = reduce_all<red::sum>(turned * tcast<float>(in));
  out = tcast<DType>(turned * broadcast_scalar(total, out.shape_));
}
MSHADOW_INSTANTIATE(TurnedNorm, float, half::half_t);

/// Rows, and channels, of nothing but views.
template <typename xpu, typename DType>
MSHADOW_KERNEL void OnlyRows(Tensor<xpu, 1, float> rows, const Tensor<xpu, 2, DType> &in) {
  rows = sumall_except_dim<0>(tcast<float>(flip(in, 1)));
}
MSHADOW_INSTANTIATE(OnlyRows, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void OnlyChannels(Tensor<xpu, 1, float> channels, const Tensor<xpu, 4, DType> &in) {
  channels = sumall_except_dim<1>(tcast<float>(flip(in, 2)));
}
MSHADOW_INSTANTIATE(OnlyChannels, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Channels(Tensor<xpu, 4, DType> out, Tensor<xpu, 1, float> mean,
                             const Tensor<xpu, 4, DType> &in) {
  auto turned = tcast<float>(mirror(in)) + tcast<float>(in);
  mean = 0.25f * sumall_except_dim<1>(turned);
  out = tcast<DType>(turned - broadcast<1>(mean, in.shape_));
}
MSHADOW_INSTANTIATE(Channels, float, half::half_t);

/// An image beside itself: borders on all sides, narrower and wider than a packet, and whole rows
/// that are outside.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Neighbours(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                               const Tensor<xpu, 4, DType> &other, bool wide) {
  auto beside = crop(pad(in, 1), Shape2(in.size(2), in.size(3)), 1, 0) +
                crop(pad(in, 1), Shape2(in.size(2), in.size(3)), 1, 2);
  auto above = crop(pad(in, 1, 0), Shape2(in.size(2), in.size(3)), 0, 0);
  out = beside - above * other;
  if (wide) {
    out += crop(pad(other, 2, 40), Shape2(in.size(2), in.size(3)), 4, 71);
    out -= mirror(crop(pad(other, 2, 40), Shape2(in.size(2), in.size(3)), 0, 3));
  }
}
MSHADOW_INSTANTIATE(Neighbours, float, half::half_t, int8_t, int64_t);

/// Dimensions in another order and back, with a row backwards in between, and twice backwards: in
/// place.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Reordered(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                              const Tensor<xpu, 1, DType> &bias) {
  out = swapaxis<1, 0>(mirror(in.T())) * flip(flip(in, 1), 1);
  out -= swapaxis<1, 0>(broadcast_with_axis(flip(bias, 0), 0, in.size(0)));
}
MSHADOW_INSTANTIATE(Reordered, float, double, bfloat::bf16_t, uint8_t);

/// At most `limit`, if there is one.
struct limited {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T limit) {
    if (limit > T(0)) return a < limit ? a : limit;
    return a;
  }
};

/// Numbers that views take, beside scalars of which one becomes a condition.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rotated(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in, float scale,
                            float limit) {
  const index_t third = in.size(1) / 3;
  auto rotated = concat<1>(slice<1>(in, third, in.size(1)), slice<1>(in, 0, third));
  out = F<limited>(rotated * DType(scale), scalar<DType>(limit)) + flip(in, 0);
  auto turned = flip(in, 1);
  out -= flip(concat<1>(slice<1>(turned, third, in.size(1)), slice<1>(turned, 0, third)), 1);
}
MSHADOW_INSTANTIATE(Rotated, float, half::half_t);

/// Sums of borders, turned rows and what is repeated.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Borders(Tensor<xpu, 1, DType> total, Tensor<xpu, 1, DType> columns,
                            const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, DType> &bias) {
  auto image = crop(pad(in, 1), in.shape_, 2, 0);
  total = reduce_with_axis<red::sum, false>(image * broadcast_with_axis(bias, -1, in.size(0)), 1);
  columns = reduce_with_axis<red::sum, false>(image + mirror(in), 0);
}
MSHADOW_INSTANTIATE(Borders, float, int32_t);

}  // namespace view_rules
