// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Shapes that have names: of a temporary, of a view, and their extents. A name keeps the extents
/// of its declaration.
template <typename xpu>
MSHADOW_KERNEL void Shapes(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &q,
                           const Tensor<xpu, 2, float> &k, const Tensor<xpu, 3, float> &in, int n) {
  const Shape<2> pairs = Shape2(q.size(0), k.size(0));
  const auto copied = pairs;
  Temporary<xpu, 2, float> scores(copied, q.stream_);
  scores = dot(q, k.T());
  index_t columns = in.size(1) * n;
  const Shape<2> flat = Shape2(in.size(0), columns);
  columns = 0;
  out = scores * static_cast<float>(pairs[1] + pairs.Size()) + reshape(in, flat);
}
MSHADOW_INSTANTIATE(Shapes, Types<>);

/// Numbers along the dimensions of a temporary, which are dimensions of other tensors.
template <typename xpu>
MSHADOW_KERNEL void Causal(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &q,
                           const Tensor<xpu, 2, float> &k) {
  Temporary<xpu, 2, float> scores(Shape2(q.size(0), k.size(0)), q.stream_);
  scores = dot(q, k.T());
  auto column = broadcast<1>(range<float>(0, k.size(0)), scores.shape_);
  auto row = broadcast<0>(range<float>(0, q.size(0)), scores.shape_);
  auto masked = where(column <= row, scores, red::limits::NegInfValue<float>());
  auto top = reduce_keepdim<red::maximum, false>(masked, 1);
  auto e = F<op::exp>(masked - broadcast_keepdim(top, 1, k.size(0)));
  auto total = reduce_keepdim<red::sum, false>(e, 1);
  out = e / broadcast_keepdim(total, 1, k.size(0));
}
MSHADOW_INSTANTIATE(Causal, Types<>);
}  // namespace specs
