// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> total(Shape1(in.size(1)));  // expected-error [temporary-shape] {{the shape of temporary 'total' must fit the tensors of the rule}}
  out += in;
}
MSHADOW_INSTANTIATE(Rule, float);

/// What an element-wise rule keeps for itself is of its tensors' shape.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Half(Tensor<xpu, 3, DType> t) {
  const index_t n = t.size(1) / 2;
  Temporary<xpu, 3, DType> kept(Shape3(t.size(0), n, t.size(2)), t.stream_);  // expected-error [temporary-shape] {{the shape of temporary 'kept' must fit the tensors of the rule}}
  // expected-note@-1 {{a kernel keeps in registers what has the shape of a tensor: write 'MSHADOW_STAGE();' behind the statement that writes 'kept', so that 'kept' has memory}}
  kept = slice<1>(t, 0, n) * 2.0f;
  slice<1>(t, 0, n) = kept + slice<1>(t, n, 2 * n);
}
MSHADOW_INSTANTIATE(Half, float);

/// So is what its columns are summed of.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Outer(Tensor<xpu, 1, DType> sums, const Tensor<xpu, 1, DType> &a,
                          const Tensor<xpu, 1, DType> &b) {
  Temporary<xpu, 2, DType> outer(Shape2(a.size(0), b.size(0)), a.stream_);  // expected-error [temporary-shape] {{the shape of temporary 'outer' must fit the tensors of the rule}}
  // expected-note@-1 {{write 'MSHADOW_STAGE();' behind the statement that writes 'outer', so that 'outer' has memory}}
  outer = broadcast<0>(a, outer.shape_) - broadcast<1>(b, outer.shape_);
  sums = sum_rows(outer * outer);
}
MSHADOW_INSTANTIATE(Outer, float);

/// The advice of the note.
template <typename xpu, typename DType>
MSHADOW_KERNEL void OuterAdvised(Tensor<xpu, 1, DType> sums, const Tensor<xpu, 1, DType> &a,
                                 const Tensor<xpu, 1, DType> &b) {
  Temporary<xpu, 2, DType> outer(Shape2(a.size(0), b.size(0)), a.stream_);
  outer = broadcast<0>(a, outer.shape_) - broadcast<1>(b, outer.shape_);
  MSHADOW_STAGE();
  sums = sum_rows(outer * outer);
}
MSHADOW_INSTANTIATE(OuterAdvised, float);

/// No declaration is shown that has another rank.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Groups(Tensor<xpu, 3, DType> t, int size) {
  const index_t groups = t.size(0) * t.size(1) * t.size(2) / size;
  Temporary<xpu, 2, DType> grouped(Shape2(groups, size), t.stream_);  // expected-error [temporary-shape] {{the shape of temporary 'grouped' must fit the tensors of the rule}}
  // expected-note@-1 {{a scalar is no extent; to group elements, pass a tensor of a higher rank, and use it as 't.FlatTo2D()'}}
  grouped = 2.0f * reshape(t, Shape2(groups, size));
  t = reshape(grouped, t.shape_);
}
MSHADOW_INSTANTIATE(Groups, float);

/// What two kernels use has memory, whose size is known by the arguments alone.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Kept(Tensor<xpu, 3, DType> t, index_t n) {
  auto part = slice<1>(t, 0, n);
  Temporary<xpu, 3, DType> kept(part.shape_, t.stream_);  // expected-error [temporary-shape] {{the shape of temporary 'kept' must fit the tensors of the rule}}
  kept = part * 2.0f;
  MSHADOW_STAGE();
  part = flip(kept, 1) + kept;
}
MSHADOW_INSTANTIATE(Kept, float);

/// One element, in a rule that reduces nothing; a row's, in one that reduces everything.
template <typename xpu, typename DType>
MSHADOW_KERNEL void One(Tensor<xpu, 1, DType> out, const Tensor<xpu, 1, DType> &in) {
  Temporary<xpu, 1, DType> one(Shape1(1));  // expected-error [temporary-shape] {{the shape of temporary 'one' must fit the tensors of the rule}}
  one = in * in;
  out += one;
}
MSHADOW_INSTANTIATE(One, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void PerRow(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> total(Shape1(in.size(0)));  // expected-error [temporary-shape] {{the shape of temporary 'total' must fit the tensors of the rule}}
  total = reduce_all<red::sum>(in);
  out = in * broadcast_scalar(total, in.shape_);
}
MSHADOW_INSTANTIATE(PerRow, float);

/// Columns, and rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void PerColumn(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> total(Shape1(in.size(0)));  // expected-error [temporary-shape] {{the shape of temporary 'total' must fit the tensors of the rule}}
  total = sum_rows(in);
  out = in * broadcast<1>(total, in.shape_);
}
MSHADOW_INSTANTIATE(PerColumn, float);
}  // namespace errors
