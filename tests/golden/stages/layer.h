// A rule of several stages: a product, a kernel on its result, a product under a condition, and what
// is kept in between; products of parts, and a kernel that reduces behind a branch.
#include <mshadow/kernel.h>

namespace nn {
using namespace mshadow;
using namespace mshadow::expr;

/// Two dense layers.
/// \param out one row per sample
/// \param in one row per sample
/// \param first a row for each hidden value
/// \param second a row for each output
/// \param scale of the hidden values
/// \param more adds the inputs' own product
template <typename xpu, typename DType>
MSHADOW_KERNEL void TwoLayers(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                              const Tensor<xpu, 2, DType> &first,
                              const Tensor<xpu, 2, DType> &second, float scale, bool more) {
  Temporary<xpu, 2, DType> hidden(Shape2(in.size(0), first.size(0)), in.stream_);
  hidden = dot(in, first.T());
  hidden = F<op::relu>(hidden * scale);
  out = 0.5f * dot(hidden, second.T());
  if (more) out += dot(in, second.T());
}
MSHADOW_INSTANTIATE(TwoLayers, float, double);

/// Layers beside each other, of which the second may be left out, and the sums of what they give.
/// \param out one row per sample
/// \param sums of the rows
/// \param in one row per sample
/// \param weight a row for each value of both layers
/// \param bias a value for each of theirs
/// \param both computes the second layer
template <typename xpu, typename DType>
MSHADOW_KERNEL void Heads(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> sums,
                          const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 2, DType> &weight,
                          const Tensor<xpu, 1, DType> &bias, bool both) {
  const index_t n = weight.size(0) / 2;
  slice<1>(out, 0, n) = dot(in, weight.Slice(0, n).T());
  if (both) {
    slice<1>(out, n, 2 * n) = dot(in, weight.Slice(n, 2 * n).T());
    out += broadcast<1>(bias, out.shape_);
  }
  sums = sumall_except_dim<0>(out);
}
MSHADOW_INSTANTIATE(Heads, float);

/// A step of an embedding: rows with one index are added up, and the sums are subtracted.
/// \param weight one row per word
/// \param grad one row per token
/// \param index the word of each token
/// \param lr step size
/// \param half leaves the second half of the table as it is
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void TableStep(Tensor<xpu, 2, DType> weight, const Tensor<xpu, 2, DType> &grad,
                              const Tensor<xpu, 1, IType> &index, float lr, bool half) {
  Temporary<xpu, 2, DType> sums(weight.shape_, weight.stream_);
  sums = 0.0f;
  if (half) {
    AddTakeGrad<false>(sums.Slice(0, weight.size(0) / 2), index, grad);
  } else {
    AddTakeGrad(sums, index, grad);
  }
  weight -= lr * sums;
}
MSHADOW_INSTANTIATE(TableStep, Types<float, int64_t>, Types<double, float>);

/// The greatest scores of each row and their columns, and the numbers of all in their order.
/// \param best greatest scores
/// \param column their columns
/// \param order columns of all scores, the least first
/// \param in what the scores are computed from
/// \param sorts fills order
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Best(Tensor<xpu, 2, DType> best, Tensor<xpu, 2, IType> column,
                         Tensor<xpu, 2, IType> order, const Tensor<xpu, 2, DType> &in, bool sorts) {
  Temporary<xpu, 2, DType> scores(in.shape_, in.stream_);
  scores = in * in;
  TopK(best, column, scores);
  if (sorts) ArgSortRows(order, scores);
  best += 1.0f;
}
MSHADOW_INSTANTIATE(Best, Types<float, int64_t>);

}  // namespace nn
