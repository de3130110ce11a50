// SPDX-License-Identifier: Apache-2.0
// Rules that read and write parts of their arguments. The tests give all tensors one shape, so
// parts that meet are of one length: halves without the column in the middle, if there is one.
#include <mshadow/kernel.h>

namespace part_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Both halves of rows, each from the other tensor's; every saver.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Halves(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
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

/// One half of a tensor becomes what the other is, in place.
template <typename xpu, typename DType>
MSHADOW_KERNEL void InPlace(Tensor<xpu, 2, DType> t, float scale) {
  const index_t half = t.size(1) / 2;
  auto right = slice<1>(t, t.size(1) - half, t.size(1));
  slice<1>(t, 0, half) = F<op::sigmoid>(tcast<float>(right)) * scale;
  right += DType(1) * slice<1>(t, 0, half);
}
MSHADOW_INSTANTIATE(InPlace, float);

/// Planes of images, by member and by function; which, a scalar says.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Planes(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in, bool last) {
  const index_t half = in.size(0) / 2;
  out.Slice(0, half) = in.Slice(half, 2 * half) * 2.0f;
  if (last) slice<0>(out, half, 2 * half) -= in.Slice(0, half);
}
MSHADOW_INSTANTIATE(Planes, float, double);

/// The softmax of half of each row, and what is left: its logarithm.
template <typename xpu, typename DType>
MSHADOW_KERNEL void HalfSoftmax(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const index_t half = in.size(1) / 2;
  Temporary<xpu, 1, float> top(Shape1(out.size(0)), in.stream_),
      total(Shape1(out.size(0)), in.stream_);
  auto part = slice<1>(in, 0, half);
  auto row = tcast<float>(part);
  top = reduce_except_dim<0, red::maximum>(row);
  auto e = F<op::exp>(row - broadcast<0>(top, part.shape_));
  total = sumall_except_dim<0>(e);
  slice<1>(out, 0, half) = tcast<DType>(e / broadcast<0>(total, part.shape_));
  slice<1>(out, out.size(1) - half, out.size(1)) =
      tcast<DType>(row - broadcast<0>(top + F<op::log>(total), part.shape_));
}
MSHADOW_INSTANTIATE(HalfSoftmax, float, half::half_t);

/// Sums of the columns of some rows, in some elements of a vector, which are then taken away.
template <typename xpu, typename DType>
MSHADOW_KERNEL void HalfColumns(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> total,
                                const Tensor<xpu, 2, DType> &in) {
  const index_t half = in.size(1) / 2;
  auto columns = slice<1>(in, 0, half);
  auto sums = total.Slice(0, half);
  sums = sumall_except_dim<1>(tcast<float>(columns));
  slice<1>(out, 0, half) = columns - tcast<DType>(broadcast<1>(sums, columns.shape_));
}
MSHADOW_INSTANTIATE(HalfColumns, float, half::half_t);

/// A norm of half of the rows, which multiplies them; then these, turned, and others.
template <typename xpu, typename DType>
MSHADOW_KERNEL void HalfNorm(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> turned,
                             const Tensor<xpu, 2, DType> &in) {
  const index_t half = in.size(0) / 2;
  Temporary<xpu, 1, float> total(Shape1(1), in.stream_);
  auto rows = in.Slice(0, half);
  total = reduce_all<red::sum>(F<op::square>(tcast<float>(rows)));
  out.Slice(0, half) =
      tcast<DType>(tcast<float>(rows) * broadcast_scalar(F<op::square_root>(total), rows.shape_));
  MSHADOW_STAGE();
  turned.Slice(half, 2 * half) = mirror(out.Slice(0, half)) + in.Slice(half, 2 * half);
}
MSHADOW_INSTANTIATE(HalfNorm, float, half::half_t);

/// Elements that indices pick out of a part, which is read beside them.
template <typename xpu, typename DType>
MSHADOW_KERNEL void HalfPicked(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> picked,
                               const Tensor<xpu, 2, DType> &in,
                               const Tensor<xpu, 1, int32_t> &label) {
  auto part = slice<1>(in, 0, in.size(1));
  picked = mat_choose_row_element(part, label);
  slice<1>(out, 0, out.size(1)) = part - broadcast<0>(picked, part.shape_);
}
MSHADOW_INSTANTIATE(HalfPicked, float, half::half_t);

/// Channels of some of a batch's images.
template <typename xpu, typename DType>
MSHADOW_KERNEL void HalfBatch(Tensor<xpu, 4, DType> out, Tensor<xpu, 1, float> mean,
                              const Tensor<xpu, 4, DType> &in) {
  const index_t half = in.size(0) / 2;
  auto images = in.Slice(0, half);
  mean = 0.25f * sumall_except_dim<1>(tcast<float>(images));
  out.Slice(0, half) = tcast<DType>(tcast<float>(images) - broadcast<1>(mean, images.shape_));
}
MSHADOW_INSTANTIATE(HalfBatch, float, half::half_t);

/// Rectangles: ranges of both dimensions in either order, of a name, and of one dimension twice;
/// apart in one kernel, and one of another shape.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rectangles(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                               bool more) {
  const index_t rows = in.size(0) / 2, cols = in.size(1) / 2;
  auto right = slice<1>(out, cols, 2 * cols);
  slice<0>(slice<1>(out, 0, cols), 0, rows) =
      slice<1>(slice<0>(in, rows, 2 * rows), cols, 2 * cols) * DType(2);
  slice<0>(right, 0, rows) += slice<0>(slice<1>(in, 0, cols), 0, rows);
  if (more) slice<1>(out.Slice(rows, 2 * rows), 0, cols) -= slice<0>(right, 0, rows);
  slice<1>(slice<1>(out, 0, 2 * cols), cols, 2 * cols) *=
      slice<1>(slice<1>(in, 0, 2 * cols), 0, cols);
}
MSHADOW_INSTANTIATE(Rectangles, float, half::half_t, int32_t);

/// Two rectangles as one.
template <typename xpu, typename DType>
MSHADOW_KERNEL void JoinedRectangles(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const index_t rows = in.size(0) / 2, cols = in.size(1) / 2;
  auto left = slice<0>(slice<1>(out, 0, cols), 0, rows);
  auto right = slice<0>(slice<1>(out, cols, 2 * cols), 0, rows);
  concat<1>(left, right) += slice<1>(in.Slice(rows, 2 * rows), 0, 2 * cols) * DType(3);
}
MSHADOW_INSTANTIATE(JoinedRectangles, float);

}  // namespace part_rules
