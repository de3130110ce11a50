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

/// Matrices of one shape, the first elements of which are `step` elements apart.
template <typename T>
struct Batch {
  Matrix<T> first;
  index_t step;
  index_t count;

  Matrix<T> at(index_t i) const {
    return {first.dptr + i * step, first.rows, first.cols, first.stride};
  }
};

/// Matrices of one shape wherever they are: dptr[i] is the first element of matrix i.
template <typename T>
struct Pointers {
  T *const *dptr;
  index_t rows;
  index_t cols;
  index_t stride;
  index_t count;

  Matrix<T> at(index_t i) const { return {dptr[i], rows, cols, stride}; }
};

/// dst = alpha op(a) op(b) + beta dst, where op transposes if the flag says so. dst overlaps
/// neither a nor b; with beta = 0 its old values are not read. The shapes fit; an inner extent of 0
/// counts as a product of zeros. Vectors are matrices of one row or one column.
///
/// For float, double, half_t, bf16_t, int8_t, uint8_t, int16_t, int32_t, int64_t. The 16-bit floats
/// are multiplied and added in float, and rounded once; integers wrap.
/// \throws Error if an extent exceeds what the BLAS library can count, or there is no memory for
///     the float matrices that a 16-bit product needs
template <typename T>
void Gemm(bool transpose_a, bool transpose_b, T alpha, const Matrix<const T> &a,
          const Matrix<const T> &b, T beta, const Matrix<T> &dst);

/// The product of a row and a column of \p count > 0 neighbours each, as Gemm computes it.
float Inner(index_t count, const float *a, const float *b);
double Inner(index_t count, const double *a, const double *b);

/// The same for each matrix of three batches of one length.
template <typename T>
void Gemm(bool transpose_a, bool transpose_b, T alpha, const Batch<const T> &a,
          const Batch<const T> &b, T beta, const Batch<T> &dst);
template <typename T>
void Gemm(bool transpose_a, bool transpose_b, T alpha, const Pointers<const T> &a,
          const Pointers<const T> &b, T beta, const Pointers<T> &dst);

}  // namespace blas
}  // namespace mshadow

#endif  // MSHADOW_BLAS_H_
