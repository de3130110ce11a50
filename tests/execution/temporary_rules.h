// SPDX-License-Identifier: Apache-2.0
// Temporaries with an element for each of what a kernel reduces: given their elements in branches,
// several times, or from what is overwritten before they are read.
#include <mshadow/kernel.h>

namespace temporary_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// A softmax that may be scaled: one kernel, in which what is exponentiated is chosen at the
/// launch.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ScaledSoftmax(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                  float scale, bool scaled) {
  Temporary<xpu, 2, float> e(in.shape_, in.stream_);
  Temporary<xpu, 1, float> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  if (scaled) {
    e = tcast<float>(in) * scale;
  } else {
    e = tcast<float>(in);
  }
  top = reduce_except_dim<0, red::maximum>(e);
  e = F<op::exp>(e - broadcast<0>(top, in.shape_));
  total = sumall_except_dim<0>(e);
  out = tcast<DType>(e / broadcast<0>(total, in.shape_));
}
MSHADOW_INSTANTIATE(ScaledSoftmax, float, bfloat::bf16_t);

/// A mask, a bias and a residual, each of which may be left out, before a normalisation.
template <typename xpu, typename DType>
MSHADOW_KERNEL void MaskedNorm(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                               const Tensor<xpu, 2, DType> &mask, const Tensor<xpu, 1, DType> &bias,
                               const Tensor<xpu, 2, DType> &residual, bool masked, bool biased,
                               bool added) {
  Temporary<xpu, 2, DType> x(in.shape_, in.stream_);
  Temporary<xpu, 1, DType> mean(Shape1(in.size(0)), in.stream_);
  const float scale = 1.0f / static_cast<float>(in.size(1));
  x = F<op::identity>(in);
  if (masked) {
    x *= mask;
    if (biased) x += broadcast<1>(bias, in.shape_);
  } else if (biased) {
    x = x - broadcast<1>(bias, in.shape_);
  }
  if (added) x += residual;
  mean = sumall_except_dim<0>(x) * DType(scale);
  out = x - broadcast<0>(mean, in.shape_);
  if (masked) out *= x;
}
MSHADOW_INSTANTIATE(MaskedNorm, float, double);

/// What the temporary was computed from is overwritten before its last use: it has memory.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Overwritten(Tensor<xpu, 2, DType> x, Tensor<xpu, 1, DType> norm,
                                const Tensor<xpu, 2, DType> &grad, float rate, bool kept) {
  Temporary<xpu, 2, DType> before(x.shape_, x.stream_);
  before = x * grad;
  if (!kept) before = before + x;
  x -= DType(rate) * grad;
  norm = sumall_except_dim<0>(F<op::square>(before - x));
  x = before + broadcast<0>(norm, x.shape_);
}
MSHADOW_INSTANTIATE(Overwritten, float, double);

/// Twice in one branch, and read below the condition alone.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ColumnsOfBranch(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> total,
                                    const Tensor<xpu, 2, DType> &in,
                                    const Tensor<xpu, 2, DType> &gate, bool gated) {
  Temporary<xpu, 2, DType> x(in.shape_, in.stream_);
  if (gated) {
    x = in * gate;
    x = F<op::sigmoid>(x);
    total = sum_rows(x);
  } else {
    total = sum_rows(in);
  }
  out = in - broadcast<1>(total, in.shape_);
  if (gated) out += x;
}
MSHADOW_INSTANTIATE(ColumnsOfBranch, float, double);

/// Channels, and a temporary that others are computed from when it has got other elements.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ChannelsOfBranch(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                                     const Tensor<xpu, 1, DType> &gain, float slope, bool leaky) {
  Temporary<xpu, 4, DType> x(in.shape_, in.stream_), y(in.shape_, in.stream_);
  Temporary<xpu, 1, DType> total(Shape1(in.size(1)), in.stream_);
  x = in * broadcast<1>(gain, in.shape_);
  y = x * x;
  if (leaky) {
    x = y * DType(slope);
  } else {
    y = y + x;
  }
  total = sumall_except_dim<1>(y - x);
  out = y + x * broadcast<1>(total, in.shape_);
}
MSHADOW_INSTANTIATE(ChannelsOfBranch, float, double);

/// Everything, for any rank; the memory of a temporary whose values are overwritten in a branch.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void TrustRatio(Tensor<xpu, dim, DType> weight, Tensor<xpu, dim, float> moment,
                               const Tensor<xpu, dim, DType> &grad, float rate, float decay,
                               bool nesterov) {
  Temporary<xpu, dim, float> step(weight.shape_, weight.stream_);
  Temporary<xpu, 1, float> norm(Shape1(1), weight.stream_);
  step = moment + tcast<float>(grad);
  if (decay != 0.0f) step += decay * tcast<float>(weight);
  if (nesterov) {
    moment = 0.9f * moment + step;
  } else {
    moment = F<op::identity>(step);
  }
  norm = reduce_all<red::sum>(F<op::square>(step));
  weight = tcast<DType>(tcast<float>(weight) -
                        rate * step / (broadcast_scalar(norm, weight.shape_) + 1.0f));
}
MSHADOW_INSTANTIATE(TrustRatio, float, bfloat::bf16_t);

/// A division that the condition keeps from trapping.
template <typename xpu, typename DType>
MSHADOW_KERNEL void DividedRows(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> total,
                                const Tensor<xpu, 2, DType> &in, int divisor) {
  Temporary<xpu, 2, DType> x(in.shape_, in.stream_);
  x = F<op::identity>(in);
  if (divisor > 0) x = in / DType(divisor);
  total = sumall_except_dim<0>(x);
  out = x + broadcast<0>(total, in.shape_);
}
MSHADOW_INSTANTIATE(DividedRows, int32_t);

/// Elements that indices pick out of a temporary.
template <typename xpu, typename DType>
MSHADOW_KERNEL void PickedOfTemporary(Tensor<xpu, 1, DType> picked, Tensor<xpu, 2, DType> out,
                                      const Tensor<xpu, 2, DType> &in,
                                      const Tensor<xpu, 1, int32_t> &label, bool squared) {
  Temporary<xpu, 2, DType> x(in.shape_, in.stream_);
  if (squared) {
    x = in * in;
  } else {
    x = in + in;
  }
  picked = mat_choose_row_element(x, label);
  out = x - broadcast<0>(picked, in.shape_);
}
MSHADOW_INSTANTIATE(PickedOfTemporary, float);

/// A vector as long as a tensor that only one branch uses. Its values are of no tensor of rank 2.
template <typename xpu, typename DType>
MSHADOW_KERNEL void LengthOfBranch(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> sums,
                                   const Tensor<xpu, 2, DType> &in,
                                   const Tensor<xpu, 1, int32_t> &column, bool flag) {
  Temporary<xpu, 1, DType> chosen(Shape1(out.size(0)), out.stream_);
  chosen = reduce_except_dim<0, red::maximum>(one_hot_encode<DType>(column, out.size(1)));
  if (flag) {
    out = in - broadcast<0>(chosen, out.shape_);
    sums = reduce_except_dim<0, red::sum>(out);
  }
}
MSHADOW_INSTANTIATE(LengthOfBranch, float, int32_t);

/// The same beside a tensor that both branches use: only the rows of the other must be as many.
template <typename xpu, typename DType>
MSHADOW_KERNEL void LengthBesideBranch(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &a,
                                       const Tensor<xpu, 2, DType> &in, bool flag) {
  Temporary<xpu, 1, DType> twice(Shape1(in.size(0)), out.stream_);
  twice = a + a;
  out *= broadcast<0>(twice, out.shape_);
  if (flag) out += in;
}
MSHADOW_INSTANTIATE(LengthBesideBranch, float, int32_t);

/// Vectors of the shape of a vector that only one branch uses: of values of rows, and of elements.
template <typename xpu, typename DType>
MSHADOW_KERNEL void LikeVectorOfBranch(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &a,
                                       const Tensor<xpu, 1, DType> &v, bool flag) {
  Temporary<xpu, 1, DType> square(v.shape_, out.stream_);
  Temporary<xpu, 1, DType> twice(square.shape_, out.stream_);
  twice = a + a;
  out *= broadcast<0>(twice, out.shape_);
  if (flag) {
    square = v * v;
    out += broadcast<0>(square, out.shape_);
  }
}
MSHADOW_INSTANTIATE(LikeVectorOfBranch, float, int32_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void ElementsLikeBranch(Tensor<xpu, 1, DType> out, const Tensor<xpu, 1, DType> &a,
                                       const Tensor<xpu, 1, DType> &v, bool flag) {
  Temporary<xpu, 1, DType> twice(v.shape_, out.stream_);
  twice = a + a;
  out *= twice;
  if (flag) out += v;
}
MSHADOW_INSTANTIATE(ElementsLikeBranch, float, int32_t);

/// What a view of another tensor is reduced to, repeated in a temporary and used as a matrix: only
/// the temporary says by what extents the values are counted.
template <typename xpu, typename DType>
MSHADOW_KERNEL void PlanesOfView(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                                 bool flag) {
  Temporary<xpu, 4, DType> top(out.shape_, out.stream_);
  top = broadcast_keepdim(reduce_keepdim<red::maximum, false>(flip(in, 2), 2), 2, out.size(2));
  if (flag) {
    auto matrix = out.FlatTo2D();
    matrix -= top.FlatTo2D();
  }
}
MSHADOW_INSTANTIATE(PlanesOfView, float, int32_t);
/// The same of the tensor itself.
template <typename xpu, typename DType>
MSHADOW_KERNEL void PlanesOfTensor(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                                   bool flag) {
  Temporary<xpu, 4, DType> top(out.shape_, out.stream_);
  top = broadcast_keepdim(reduce_keepdim<red::maximum, false>(in, 2), 2, out.size(2));
  if (flag) {
    auto matrix = out.FlatTo2D();
    matrix -= top.FlatTo2D();
  }
}
MSHADOW_INSTANTIATE(PlanesOfTensor, float, int32_t);
/// Rows of a view.
template <typename xpu, typename DType>
MSHADOW_KERNEL void RowsOfView(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  Temporary<xpu, 3, DType> top(out.shape_, out.stream_);
  top = broadcast_keepdim(reduce_keepdim<red::sum, false>(flip(in, 0) * 2, 2), 2, out.size(2));
  auto matrix = out.FlatTo2D();
  matrix = matrix - top.FlatTo2D();
}
MSHADOW_INSTANTIATE(RowsOfView, float, int32_t);

}  // namespace temporary_rules
