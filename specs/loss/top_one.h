// SPDX-License-Identifier: Apache-2.0
/// \file top_one.h
/// How many samples of a batch a classifier gets right.
#ifndef SPECS_LOSS_TOP_ONE_H_
#define SPECS_LOSS_TOP_ONE_H_

#include <mshadow/kernel.h>

namespace loss {
using namespace mshadow;
using namespace mshadow::expr;

/// Top-1 hits of a batch: count += sum_i [argmax_j x_ij = c_i], c being the classes. Of equal
/// inputs the first counts, and a NaN counts as the largest, as in MXNet's Accuracy.
/// \param count one element, to which the hits are added: with 0 before, over batch size the
/// accuracy
/// \param in a value for each class, one row per sample
/// \param label number of each sample's class, from 0; another one is never hit
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void CountTopOne(Tensor<xpu, 1, float> count, const Tensor<xpu, 2, DType> &in,
                                const Tensor<xpu, 1, IType> &label) {
  Temporary<xpu, 1, float> hit(Shape1(in.size(0)), in.stream_);
  hit = reduce_except_dim<0, red::argmax>(tcast<float>(in));
  hit = F<op::eq>(hit, tcast<float>(label));
  count += reduce_all<red::sum>(hit);
}
MSHADOW_INSTANTIATE(CountTopOne, Types<float, float>, Types<float, int32_t>, Types<float, int64_t>,
                    Types<half::half_t, int32_t>, Types<half::half_t, int64_t>,
                    Types<bfloat::bf16_t, int64_t>);

}  // namespace loss

#endif  // SPECS_LOSS_TOP_ONE_H_
