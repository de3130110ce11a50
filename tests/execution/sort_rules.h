// SPDX-License-Identifier: Apache-2.0
// Rows that are sorted between kernels: all elements, or the first ones.
#include <mshadow/kernel.h>

namespace sort_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// A kernel computes what is sorted, and another one reads the elements and their columns.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void First(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, IType> at,
                          const Tensor<xpu, 2, DType> &in, float scale) {
  Temporary<xpu, 2, DType> scaled(in.shape_, in.stream_);
  scaled = DType(scale) * in;
  TopK(out, at, scaled);
  out += tcast<DType>(at);
}
MSHADOW_INSTANTIATE(First, Types<float, int64_t>, Types<double, float>,
                    Types<half::half_t, int32_t>, Types<bfloat::bf16_t, uint8_t>,
                    Types<int32_t, int64_t>, Types<uint8_t, int8_t>, Types<int64_t, double>,
                    Types<int16_t, int16_t>);

/// A seventh of each row, in both directions, and their columns alone.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Few(Tensor<xpu, 1, DType> sums, Tensor<xpu, 1, DType> places,
                        const Tensor<xpu, 2, DType> &in, bool least) {
  const index_t count = (in.size(1) + 6) / 7;
  Temporary<xpu, 2, DType> best(Shape2(in.size(0), count), in.stream_);
  Temporary<xpu, 2, int32_t> at(Shape2(in.size(0), count), in.stream_);
  if (least) {
    TopK(best, in, true);
    ArgTopK(at, in, true);
  } else {
    TopK(best, at, in);
  }
  sums = sumall_except_dim<0>(best);
  places = sumall_except_dim<0>(tcast<DType>(at));
}
MSHADOW_INSTANTIATE(Few, float, half::half_t);

/// Sorts of whole rows, one of some of the rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Sorts(Tensor<xpu, 2, DType> up, Tensor<xpu, 2, DType> down,
                          Tensor<xpu, 2, int32_t> at, Tensor<xpu, 2, int32_t> at_down,
                          const Tensor<xpu, 2, DType> &in) {
  const index_t half = in.size(0) / 2, end = in.size(0);
  SortRows(up, in);
  SortRows(down.Slice(0, half), at_down.Slice(0, half), in.Slice(0, half), false);
  ArgSortRows(at, in);
  down.Slice(half, end) = 2.0f * in.Slice(half, end);
  at_down.Slice(half, end) = 0;
  up -= down;
}
MSHADOW_INSTANTIATE(Sorts, float, double, bfloat::bf16_t, int8_t);

}  // namespace sort_rules
