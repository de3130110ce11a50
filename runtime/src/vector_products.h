// SPDX-License-Identifier: Apache-2.0
// Products of small matrices and vectors, for which calling BLAS takes longer than loops here. The
// order of additions is the same on every machine; it is said at each loop.
#ifndef MSHADOW_SRC_VECTOR_PRODUCTS_H_
#define MSHADOW_SRC_VECTOR_PRODUCTS_H_

#include "mshadow/base.h"

namespace mshadow {
namespace blas {

/// A matrix of rows x cols, rows `stride` elements apart, and vectors of neighbours. The result is
/// alpha * product + beta * old, where old is not read if beta is 0.
template <typename T>
struct VectorProduct {
  const T *vector;
  T alpha, beta;
  index_t rows, cols, stride;
};

/// to[c] = sum over r of vector[r] * matrix[r][c]: row r is added to sum r % 4, in order, and those
/// as (0 + 1) + (2 + 3).
template <typename T>
using AddRowsLoop = void (*)(const VectorProduct<T> &p, const T *matrix, T *to);
/// to[r] = sum over c of matrix[r][c] * vector[c]. As many columns as 64 bytes have are added side
/// by side, halved to four sums, to which what is left is added by fours, then taken as
/// (0 + 1) + (2 + 3), to which up to three columns are added one by one.
template <typename T>
using RowSumsLoop = void (*)(const VectorProduct<T> &p, const T *matrix, T *to);
/// matrix[r][c] = column[r] * vector[c].
template <typename T>
using OuterLoop = void (*)(const VectorProduct<T> &p, const T *column, T *matrix);

/// The loops of one instruction set. Memory that they write overlaps nothing that they read.
template <typename T>
struct VectorLoops {
  AddRowsLoop<T> add_rows;
  RowSumsLoop<T> row_sums;
  OuterLoop<T> outer;
};

/// Those of the active one; for float and double.
template <typename T>
const VectorLoops<T> &ActiveVectorLoops();

}  // namespace blas
}  // namespace mshadow

#endif  // MSHADOW_SRC_VECTOR_PRODUCTS_H_
