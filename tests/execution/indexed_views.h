// SPDX-License-Identifier: Apache-2.0
// Rules that read elements several times, in other shapes, rows by indices, and windows.
#include <mshadow/kernel.h>

namespace indexed_views {
using namespace mshadow;
using namespace mshadow::expr;

/// Pixels repeated: as often as the spec says, and the launch; those of a border, too.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Twice(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = upsampling_nearest(in, 2);
}
MSHADOW_INSTANTIATE(Twice, float, double, half::half_t, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Thrice(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = upsampling_nearest(pad(in, 1), 3);
}
MSHADOW_INSTANTIATE(Thrice, float, double, half::half_t, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Enlarged(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                             int times) {
  out = upsampling_nearest(mirror(in), times);
}
MSHADOW_INSTANTIATE(Enlarged, float, int8_t);

/// The same elements in another shape, those of a transpose too, and each of them five times.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Reshaped(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = reshape(in, out.shape_);
}
MSHADOW_INSTANTIATE(Reshaped, float, double, half::half_t, int8_t);
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ReshapedAnyRank(Tensor<xpu, dim, DType> out, const Tensor<xpu, 2, DType> &in,
                                    const Tensor<xpu, 1, DType> &scale) {
  out = reshape(mirror(in), out.shape_) * broadcast<dim - 1>(scale, out.shape_);
}
MSHADOW_INSTANTIATE(ReshapedAnyRank, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void ReshapedTranspose(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = reshape(in.T(), out.shape_);
}
MSHADOW_INSTANTIATE(ReshapedTranspose, float, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Repeated(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = reshape(broadcast_with_axis(in, 1, 5), out.shape_);
}
MSHADOW_INSTANTIATE(Repeated, float, half::half_t);

/// Sums of rows of another shape: a loop over rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SumsOfReshaped(Tensor<xpu, 1, DType> sums, Tensor<xpu, 2, DType> out,
                                   const Tensor<xpu, 3, DType> &in) {
  sums = sumall_except_dim<0>(reshape(in, out.shape_));
  out = reshape(in, out.shape_) - broadcast<0>(sums, out.shape_);
}
MSHADOW_INSTANTIATE(SumsOfReshaped, float);

/// Patches of padded images, each second one, of each second pixel across.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Patches(Tensor<xpu, 2, DType> out, const Tensor<xpu, 4, DType> &in) {
  out = unpack_patch2col(pad(in, 1), 3, 2, 2, 1, 1, 2);
}
MSHADOW_INSTANTIATE(Patches, float, double, half::half_t, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void PatchesAcross(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = unpack_patch2col(pad(in, 0, 2), 1, 3, 3);
}
MSHADOW_INSTANTIATE(PatchesAcross, float, int8_t);

/// Rows by indices, and some columns of them.
template <typename xpu, typename DType, typename Index>
MSHADOW_KERNEL void Taken(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &table,
                          const Tensor<xpu, 1, Index> &index) {
  out = take(index, table);
}
MSHADOW_INSTANTIATE(Taken, Types<float, int32_t>, Types<float, float>, Types<double, int64_t>,
                    Types<half::half_t, half::half_t>, Types<int8_t, uint8_t>);
template <typename xpu, typename DType>
MSHADOW_KERNEL void TakenColumns(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &table,
                                 const Tensor<xpu, 1, int32_t> &index) {
  out = mirror(take(index, pad(table, 1, 2)));
}
MSHADOW_INSTANTIATE(TakenColumns, float, int8_t);
/// Windows beside each other, around each element, and as large as the launch says.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Largest(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = pool<red::maximum>(in, 2, 2, 2);
}
MSHADOW_INSTANTIATE(Largest, float, double, half::half_t, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Sums(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::sum>(pad(in, 1), 3, 3, 1);
}
MSHADOW_INSTANTIATE(Sums, float, double, half::half_t, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Smallest(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in, int height,
                             int width) {
  out = pool<red::minimum>(pad(in, 0, 2), height, width, 1, 3);
}
MSHADOW_INSTANTIATE(Smallest, float, half::half_t);
/// The same of rows that are added up.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SumsOfLargest(Tensor<xpu, 1, DType> sums, const Tensor<xpu, 2, DType> &in) {
  sums = sumall_except_dim<0>(pool<red::maximum>(in, 1, 3, 1, 2));
}
MSHADOW_INSTANTIATE(SumsOfLargest, float);
/// Windows of channels: around each one, and of a border of one channel.
template <typename xpu, typename DType>
MSHADOW_KERNEL void NearChannels(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  out = chpool<red::sum>(in, 3) + chpool<red::maximum>(in * in, 1);
}
MSHADOW_INSTANTIATE(NearChannels, float, half::half_t, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void SomeChannels(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                                 int count) {
  out = chpool<red::product>(pad(in, 0, 1), count, 2, 1);
}
MSHADOW_INSTANTIATE(SomeChannels, float);
}  // namespace indexed_views
