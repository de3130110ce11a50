// SPDX-License-Identifier: Apache-2.0
// Rules of several stages: matrix products with kernels before, between and after them, kernels
// that reduce different things, tensors that are kept in between.
#include <specs/activation/softmax.h>

namespace stage_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// A product, and what becomes of it.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Layer(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                          const Tensor<xpu, 2, DType> &weight, const Tensor<xpu, 1, DType> &bias) {
  out = dot(in, weight.T());
  out = F<op::relu>(out + broadcast<1>(bias, out.shape_));
}
MSHADOW_INSTANTIATE(Layer, float, double, half::half_t, bfloat::bf16_t);

/// Kept tensors, a product under a condition, scales, and a kernel that reduces rows at the end.
template <typename xpu, typename DType>
MSHADOW_KERNEL void TwoLayers(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                              const Tensor<xpu, 2, DType> &w1, const Tensor<xpu, 2, DType> &w2,
                              float scale, bool twice, bool minus) {
  const index_t rows = in.size(0);
  Temporary<xpu, 2, DType> hidden(Shape2(rows, w1.size(0)), in.stream_);
  Temporary<xpu, 1, float> top(Shape1(out.size(0)), in.stream_);
  hidden = dot(in, w1.T());
  const float shift = static_cast<float>(hidden.size(1)) * 0.125f;
  hidden = tcast<DType>(F<op::relu>(tcast<float>(hidden) * scale) - shift);
  out = 2.0f * dot(hidden, w2.T()) * scale;
  if (twice) {
    out += dot(hidden, w2.T());
    if (minus) out -= 0.5f * dot(hidden, w2);
    out = out + 1.0f;
  } else {
    out *= 3.0f;
  }
  MSHADOW_STAGE();
  top = reduce_except_dim<0, red::maximum>(tcast<float>(out));
  out = tcast<DType>(tcast<float>(out) - broadcast<0>(top, out.shape_));
}
MSHADOW_INSTANTIATE(TwoLayers, float, bfloat::bf16_t);

/// The gradients of a layer: one kernel that keeps what both products need.
template <typename xpu, typename DType>
MSHADOW_KERNEL void LayerGrad(Tensor<xpu, 2, DType> in_grad, Tensor<xpu, 2, DType> weight_grad,
                              Tensor<xpu, 1, DType> bias_grad,
                              const Tensor<xpu, 2, DType> &out_grad,
                              const Tensor<xpu, 2, DType> &out, const Tensor<xpu, 2, DType> &in,
                              const Tensor<xpu, 2, DType> &weight) {
  Temporary<xpu, 2, DType> grad(out.shape_, out.stream_);
  grad = F<op::relu>(out) * out_grad;
  bias_grad = sum_rows(grad);
  weight_grad += dot(grad.T(), in);
  in_grad = dot(grad, weight);
}
MSHADOW_INSTANTIATE(LayerGrad, float, double);

/// The softmaxes of rows and of columns: what reduces rows also finds the maxima of columns.
template <typename xpu, typename DType>
MSHADOW_KERNEL void BothSoftmaxes(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> row_top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, DType> row_sum(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, DType> column_top(Shape1(in.size(1)), in.stream_);
  Temporary<xpu, 1, DType> column_sum(Shape1(in.size(1)), in.stream_);
  row_top = reduce_except_dim<0, red::maximum>(in);
  auto by_row = F<op::exp>(in - broadcast<0>(row_top, in.shape_));
  row_sum = sumall_except_dim<0>(by_row);
  column_top = reduce_except_dim<1, red::maximum>(in);
  auto by_column = F<op::exp>(in - broadcast<1>(column_top, in.shape_));
  column_sum = sum_rows(by_column);
  out = by_row / broadcast<0>(row_sum, in.shape_) + by_column / broadcast<1>(column_sum, in.shape_);
}
MSHADOW_INSTANTIATE(BothSoftmaxes, float, double);

/// One element of a vector, and then matrices: kernels of two shapes.
template <typename xpu, typename DType>
MSHADOW_KERNEL void NormOfVector(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                 const Tensor<xpu, 1, DType> &v) {
  Temporary<xpu, 1, DType> norm(Shape1(1), in.stream_);
  norm = reduce_all<red::sum>(v * v);
  norm = F<op::square_root>(norm + 1.0f);
  out = in / broadcast_scalar(norm, in.shape_);
}
MSHADOW_INSTANTIATE(NormOfVector, float, half::half_t);

/// A view of a vector between statements on the values of rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ViewAmongValues(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> sums,
                                    const Tensor<xpu, 2, DType> &in,
                                    const Tensor<xpu, 1, DType> &v) {
  sums = sumall_except_dim<0>(in);
  sums += v * mirror(v);
  out = in * broadcast<0>(v, in.shape_) - broadcast<0>(sums, in.shape_);
}
MSHADOW_INSTANTIATE(ViewAmongValues, float, bfloat::bf16_t);

/// Rows, then columns, then everything: three kernels, since each reduces something else.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ThreeWays(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> columns,
                              Tensor<xpu, 1, float> one, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 2, float> exps(in.shape_, in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  exps = F<op::identity>(tcast<float>(in));
  total = reduce_except_dim<0, red::maximum>(exps);
  MSHADOW_STAGE();
  exps = exps - broadcast<0>(total, in.shape_);
  columns = sum_rows(exps);
  MSHADOW_STAGE();
  one = reduce_all<red::sum>(exps * exps);
  MSHADOW_STAGE();
  out = tcast<DType>(exps * broadcast_scalar(one, in.shape_));
}
MSHADOW_INSTANTIATE(ThreeWays, float, half::half_t);

/// A kernel in each branch, of any rank, and statements around them: two kernels.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Branches(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, DType> other,
                             const Tensor<xpu, dim, DType> &in, bool first) {
  Temporary<xpu, dim, float> kept(in.shape_, in.stream_);
  kept = tcast<float>(in) * 0.5f;
  if (first) {
    MSHADOW_STAGE();
    out = tcast<DType>(kept);
  } else {
    other = tcast<DType>(kept * 3.0f);
  }
  kept = kept + static_cast<float>(kept.shape_.Size());
  other += tcast<DType>(kept);
}
MSHADOW_INSTANTIATE(Branches, float, bfloat::bf16_t, int32_t);

/// Products in both branches, not as many, and what follows them: three kernels.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Switched(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, float> total,
                             const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 2, DType> &weight,
                             const Tensor<xpu, 1, DType> &bias, float scale, bool layer,
                             bool deep) {
  Temporary<xpu, 2, DType> kept(out.shape_, out.stream_);
  kept = in * 2.0f;
  if (layer) {
    out = dot(kept, weight.T());
    out = F<op::relu>(out + broadcast<1>(bias, out.shape_));
    if (deep) {
      kept = F<op::identity>(out);
      out += dot(kept, weight) * 0.125f;
    }
    kept = out - kept;
  } else {
    kept = kept * in;
    out = dot(kept, weight);
  }
  total += tcast<float>(kept) * scale - tcast<float>(out);
  out = out * 0.5f;
}
MSHADOW_INSTANTIATE(Switched, float, bfloat::bf16_t);

/// The same with conditions that exclude each other in the place of branches.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Excluded(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, float> total,
                             const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 2, DType> &weight,
                             float scale, bool layer, bool deep) {
  Temporary<xpu, 2, DType> kept(out.shape_, out.stream_);
  kept = in * 2.0f;
  if (layer) {
    out = dot(kept, weight.T());
    kept = out - kept;
  }
  if (!layer) {
    kept = kept * in;
    out = dot(kept, weight);
    if (!deep) out += kept;
  }
  if (deep) total = tcast<float>(kept) * scale;
  total += tcast<float>(out);
}
MSHADOW_INSTANTIATE(Excluded, float, bfloat::bf16_t);

/// Vectors times matrices and back, outer and inner products.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Vectors(Tensor<xpu, 1, DType> row, Tensor<xpu, 1, DType> column,
                            Tensor<xpu, 2, DType> outer, const Tensor<xpu, 2, DType> &matrix,
                            const Tensor<xpu, 1, DType> &a, const Tensor<xpu, 1, DType> &b) {
  row = dot(a, matrix);
  row -= dot(b, matrix.T());
  column += dot(matrix, a);
  outer -= dot(a.T(), b);
  outer = outer * outer;
}
MSHADOW_INSTANTIATE(Vectors, float, double, bfloat::bf16_t);

/// Calls rules of several stages.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Calls(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                          const Tensor<xpu, 2, DType> &weight, const Tensor<xpu, 1, DType> &bias) {
  Temporary<xpu, 2, DType> hidden(out.shape_, out.stream_);
  Layer(hidden, in, weight, bias);
  Layer(out, hidden, weight, bias);
  activation::Softmax(out, out);
}
MSHADOW_INSTANTIATE(Calls, float);

/// A temporary that is read at other places, a gate of a product's halves.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Places(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 2, DType> &weight) {
  Temporary<xpu, 2, DType> kept(in.shape_, in.stream_);
  Temporary<xpu, 2, DType> wide(Shape2(in.size(0), 2 * weight.size(0)), in.stream_);
  kept = in * in + 1.0f;
  MSHADOW_STAGE();
  wide = concat<1>(kept, in);
  MSHADOW_STAGE();
  const index_t n = weight.size(0);
  kept = slice<1>(wide, 0, n) * F<op::sigmoid>(slice<1>(wide, n, 2 * n)) + flip(in, 1);
  out = dot(kept, weight.T());
}
MSHADOW_INSTANTIATE(Places, float, double);

/// Statements without a tensor in common: a kernel for each.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Unrelated(Tensor<xpu, 2, DType> weight, Tensor<xpu, 1, DType> bias,
                              Tensor<xpu, 1, DType> total, const Tensor<xpu, 2, DType> &in,
                              float lr) {
  Temporary<xpu, 2, DType> unread(in.shape_, in.stream_);
  weight = tcast<DType>(tcast<float>(weight) * (1.0f - lr));
  bias = tcast<DType>(tcast<float>(bias) - lr);
  unread = in * in;
  total = sumall_except_dim<0>(in);
}
MSHADOW_INSTANTIATE(Unrelated, float, half::half_t);

/// One between two that have a tensor in common: three kernels, of two ranks.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Between(Tensor<xpu, 2, DType> weight, Tensor<xpu, 1, DType> bias, float lr) {
  weight = tcast<DType>(tcast<float>(weight) * (1.0f - lr));
  bias = tcast<DType>(tcast<float>(bias) - lr);
  weight += weight;
}
MSHADOW_INSTANTIATE(Between, float, half::half_t);

}  // namespace stage_rules
