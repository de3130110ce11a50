// SPDX-License-Identifier: Apache-2.0
/// \file reduced_axes.h
/// Rules that reduce some axes of a tensor to a tensor of the others.
#include <mshadow/kernel.h>

namespace reduced_axes {
using namespace mshadow;
using namespace mshadow::expr;

/// Each of four axes, by each reducer.
template <typename xpu, typename DType>
MSHADOW_KERNEL void EachAxis(Tensor<xpu, 3, DType> over0, Tensor<xpu, 3, DType> over1,
                             Tensor<xpu, 3, DType> over2, Tensor<xpu, 3, DType> over3,
                             const Tensor<xpu, 4, DType> &in) {
  over0 = reduce_with_axis<red::sum, false>(in, 0);
  over1 += DType(2) * reduce_with_axis<red::maximum, false>(in * in, 1);
  over2 = reduce_with_axis<red::minimum, false>(in, 2) - reduce_with_axis<red::sum, false>(in, 2);
  over3 = reduce_with_axis<red::product, false>(in * DType(0.03125f) + DType(1), 3);
}
MSHADOW_INSTANTIATE(EachAxis, float, double, half::half_t, int32_t);

/// The mean over height and width, with these axes and without, and the sum of everything but the
/// channels.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Pool(Tensor<xpu, 4, DType> kept, Tensor<xpu, 2, DType> mean,
                         Tensor<xpu, 4, DType> channels, const Tensor<xpu, 4, DType> &in) {
  const float share = 1.0f / static_cast<float>(in.size(2) * in.size(3));
  kept = reduce_multi_axes<red::sum>(in, Shape2(2, 3));
  mean = share * reduce_with_axis<red::sum, false>(reduce_with_axis<red::sum, false>(in, 3), 2);
  channels = reduce_multi_axes<red::maximum>(F<op::abs>(in), Shape3(0, 2, 3));
}
MSHADOW_INSTANTIATE(Pool, float, half::half_t);

/// Axes 1 and 3 of five, with numbers beside them.
template <typename xpu, typename DType>
MSHADOW_KERNEL void TwoOfFive(Tensor<xpu, 3, DType> out, const Tensor<xpu, 5, DType> &in,
                              const Tensor<xpu, 3, DType> &bias) {
  auto over3 = reduce_with_axis<red::sum, false>(in * in, 3);
  out = F<op::square_root>(reduce_with_axis<red::sum, false>(over3, 1) + DType(1)) * bias;
}
MSHADOW_INSTANTIATE(TwoOfFive, float, double);

/// Reductions of reductions: of a matrix, to a vector and to a column.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Again(Tensor<xpu, 1, DType> vector, Tensor<xpu, 2, DType> column,
                          Tensor<xpu, 2, DType> row, const Tensor<xpu, 3, DType> &in,
                          const Tensor<xpu, 2, DType> &matrix) {
  vector = reduce_with_axis<red::sum, false>(reduce_with_axis<red::maximum, false>(in, 2), 1);
  column = reduce_keepdim<red::sum, false>(matrix, 1);
  row = reduce_keepdim<red::sum, false>(matrix, 0) * DType(3);
}
MSHADOW_INSTANTIATE(Again, float);

/// A reduction within a view, of a view, and of what is written just before.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Beside(Tensor<xpu, 2, DType> turned, Tensor<xpu, 2, DType> folded,
                           Tensor<xpu, 3, DType> in, bool twice) {
  auto sum = reduce_with_axis<red::sum, false>(in, 2);
  turned = mirror(sum);
  folded = reduce_with_axis<red::sum, false>(in * mirror(in), 1);
  if (twice) {
    in *= DType(0.5f);
    turned += sum;
  }
  folded -= reduce_with_axis<red::minimum, false>(in, 1);
}
MSHADOW_INSTANTIATE(Beside, float);

}  // namespace reduced_axes
