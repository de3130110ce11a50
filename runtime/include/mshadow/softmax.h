// SPDX-License-Identifier: Apache-2.0
/// \file softmax.h
/// Softmax of the rows of a matrix.
#ifndef MSHADOW_SOFTMAX_H_
#define MSHADOW_SOFTMAX_H_

#include "mshadow/tensor_view.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// dst[y][x] = exp(energy[y][x]) / sum over x of exp(energy[y][x]), for shapes (rows, classes) and
/// float, double, half_t or bf16_t; 16-bit floats compute in float and round once. dst may be
/// energy.
/// \throws Error if the shapes differ or the memory of the two overlaps partly
template <typename DType>
void Softmax(Tensor<cpu, 2, DType> dst, const Tensor<cpu, 2, DType> &energy);

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_SOFTMAX_H_
