// SPDX-License-Identifier: Apache-2.0
// Rules that assign to concatenations. The tests give all tensors one shape, so what is joined are
// parts.
#include <mshadow/kernel.h>

namespace concat_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Some columns and the others, of tensors and of broadcasts along both dimensions.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Columns(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                            const Tensor<xpu, 1, DType> &bias, const Tensor<xpu, 1, DType> &scale) {
  const index_t some = in.size(1) / 3;
  concat<1>(slice<1>(out, 0, some), slice<1>(out, some, out.size(1))) =
      in * broadcast<0>(scale, in.shape_) + broadcast<1>(bias, in.shape_) * DType(2);
}
MSHADOW_INSTANTIATE(Columns, float, double, half::half_t, int8_t, int64_t);

/// Rows, by a name, in several ways; under a condition, by numbers, and next to other statements.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rows(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> sum,
                         const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, DType> &bias,
                         const Tensor<xpu, 1, DType> &scale, bool twice) {
  index_t some = in.size(0) / 2;
  sum += in * broadcast<0>(scale, in.shape_);
  auto first = slice<0>(out, 0, some);
  auto both = concat<0>(first, out.Slice(some, out.size(0)));
  some = 0;
  both = in * broadcast<0>(scale, in.shape_) - broadcast<1>(bias, in.shape_) + sum;
  if (twice) {
    both *= in + DType(1);
  } else {
    both = DType(3);
  }
  sum -= out;
}
MSHADOW_INSTANTIATE(Rows, float, int32_t);

struct keep_less {
  template <typename T>
  MSHADOW_XINLINE static void Save(T &old, T next) {
    old = next < old ? next : old;
  }
};

/// Three tensors, savers, a saver of one's own, and parts as operands.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Three(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const index_t third = in.size(1) / 3, n = in.size(1);
  auto left = slice<1>(out, 0, third), middle = slice<1>(out, third, 2 * third),
       right = slice<1>(out, 2 * third, n);
  concat<1>(concat<1>(left, middle), right) += in * in;
  auto last = concat<1>(middle, slice<1>(out, 2 * third, 3 * third));
  last -= slice<1>(in, 0, 2 * third) * DType(2);
  MapExp<keep_less>(&last, slice<1>(in, 0, 2 * third));
}
MSHADOW_INSTANTIATE(Three, float, half::half_t, int32_t);

/// A temporary that an earlier kernel writes.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Kept(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const index_t some = in.size(1) / 2;
  Temporary<xpu, 2, DType> square(in.shape_, in.stream_);
  square = in * in;
  concat<1>(slice<1>(out, 0, some), slice<1>(out, some, out.size(1))) = square - in;
}
MSHADOW_INSTANTIATE(Kept, float, half::half_t);

/// Images, with a value for each channel; and samples, whose channels stay.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Images(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                           const Tensor<xpu, 1, DType> &bias) {
  const index_t some = in.size(0) / 2, left = in.size(3) / 3;
  concat<0>(out.Slice(0, some), out.Slice(some, out.size(0))) = in + broadcast<1>(bias, in.shape_);
  concat<3>(slice<3>(out, 0, left), slice<3>(out, left, out.size(3))) *=
      in - broadcast<1>(bias, in.shape_);
}
MSHADOW_INSTANTIATE(Images, float, double);

/// A number: the tensors beside each other must have the same other extents.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Numbers(Tensor<xpu, 2, DType> a, Tensor<xpu, 2, DType> b,
                            Tensor<xpu, 3, DType> c, Tensor<xpu, 3, DType> d, DType value,
                            bool add) {
  concat<1>(a, b) = DType(1);
  if (add) concat<0>(c, d) += value;
}
MSHADOW_INSTANTIATE(Numbers, float, int32_t);

}  // namespace concat_rules
