// SPDX-License-Identifier: Apache-2.0
/// \file shapes.h
/// A rule with a transposed operand: the shipped rules that are timed by shape have none.
#ifndef MSHADOW_BENCHMARKS_SHAPES_H_
#define MSHADOW_BENCHMARKS_SHAPES_H_

#include <mshadow/kernel.h>

namespace shapes {
using namespace mshadow;
using namespace mshadow::expr;

/// A matrix and a transposed one.
/// \param out the sum
/// \param in has the shape of out
/// \param flipped has a row for each column of out
template <typename xpu, typename DType>
MSHADOW_KERNEL void AddTransposed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                  const Tensor<xpu, 2, DType> &flipped) {
  out = in + flipped.T();
}
MSHADOW_INSTANTIATE(AddTransposed, float);

}  // namespace shapes

#endif  // MSHADOW_BENCHMARKS_SHAPES_H_
