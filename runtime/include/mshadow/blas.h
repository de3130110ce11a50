// SPDX-License-Identifier: Apache-2.0
/// \file blas.h
/// Matrix products of the CPU, row-major: BLAS where the runtime was built with one, else loops.
#ifndef MSHADOW_BLAS_H_
#define MSHADOW_BLAS_H_

#include "mshadow/base.h"

namespace mshadow {
namespace blas {

/// A row-major matrix: rows x cols elements, rows `stride` elements apart.
template <typename T>
struct Matrix {
  T *dptr;
  index_t rows;
  index_t cols;
  index_t stride;
};

/// dst = alpha op(a) op(b) + beta dst, where op transposes if the flag says so. dst overlaps
/// neither a nor b; with beta = 0 its old values are not read. The shapes fit; an inner extent of 0
/// counts as a product of zeros. Vectors are matrices of one row or one column.
/// \throws Error if an extent exceeds what the BLAS library can count
void Gemm(bool transpose_a, bool transpose_b, float alpha, Matrix<const float> a,
          Matrix<const float> b, float beta, Matrix<float> dst);
void Gemm(bool transpose_a, bool transpose_b, double alpha, Matrix<const double> a,
          Matrix<const double> b, double beta, Matrix<double> dst);

}  // namespace blas
}  // namespace mshadow

#endif  // MSHADOW_BLAS_H_
