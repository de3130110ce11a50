// SPDX-License-Identifier: Apache-2.0
/// \file named_rows.h
/// rows(matrix, index) in emitted launchers: the operand, and the checks of its indices.
#ifndef MSHADOW_NAMED_ROWS_H_
#define MSHADOW_NAMED_ROWS_H_

#include "mshadow/detail/row_indices.h"
#include "mshadow/emitted/launch.h"

namespace mshadow {

MSHADOW_VERSION_BEGIN
namespace detail {
/// \throws Error unless a matrix and a vector of indices have these ranks, and the matrix has no
///     rows that overlap
void CheckRowsOf(const char *rule, const char *name, const TensorLayout &matrix,
                 const char *index_name, const TensorLayout &index);
[[noreturn]] void ThrowNoRow(const char *rule, const char *name, double index, int64_t position,
                             int64_t rows);
[[noreturn]] void ThrowRepeatedRow(const char *rule, const char *name, const Repeat &repeat,
                                   int64_t row);
}  // namespace detail
MSHADOW_VERSION_END

/// The rows of \p matrix that \p index names.
/// \param rule the rule's name, for messages
/// \param name the matrix's name, for messages
/// \param index_name the name of the indices, for messages
/// \throws Error if the ranks are not 2 and 1, or if rows of the matrix overlap
template <typename DType, typename IType>
MSHADOW_CINLINE NamedRows<DType> RowsOf(const char *rule, const char *name,
                                        const TensorArg<DType> &matrix, const char *index_name,
                                        const TensorArg<IType> &index) {
  detail::CheckRowsOf(rule, name, matrix, index_name, index);
  NamedRows<DType> rows = {matrix, matrix.shape[0]};
  rows.shape[0] = index.shape[0];
  return rows;
}

/// Checks, on the CPU, that each of \p indices is a row: 0 <= index < \p rows.
/// \throws Error that names the rule, the argument, the first index out of range, and its position
template <typename IType>
MSHADOW_CINLINE void CheckRows(cpu, const char *rule, const char *name,
                               const TensorArg<IType> &indices, int64_t rows) {
  for (int64_t i = 0; i < indices.shape[0]; ++i) {
    const IType value = indices.dptr[i];
    const int64_t index = ScalarCast<int64_t>(value);
    if (value == value && 0 <= index && index < rows) continue;
    detail::ThrowNoRow(rule, name, ScalarCast<double>(value), i, rows);
  }
}
/// Checks nothing: a GPU kernel cannot throw. An index out of range reads 0 and writes nothing.
template <typename IType>
MSHADOW_CINLINE void CheckRows(gpu, const char *, const char *, const TensorArg<IType> &, int64_t) {
}

/// Checks, on the CPU, that no two of \p indices, which name rows to be written, are the same row.
/// \throws Error that names the rule, the argument, the row, and both positions
template <typename IType>
MSHADOW_CINLINE void CheckEachRowOnce(cpu, const char *rule, const char *name,
                                      const TensorArg<IType> &indices) {
  const detail::Repeat repeat = detail::FindRepeat(indices.dptr, indices.shape[0]);
  if (!repeat) return;
  detail::ThrowRepeatedRow(rule, name, repeat, ScalarCast<int64_t>(indices.dptr[repeat.first]));
}
/// Checks nothing: a GPU writes either of two updates of one row, and does not say which.
template <typename IType>
MSHADOW_CINLINE void CheckEachRowOnce(gpu, const char *, const char *, const TensorArg<IType> &) {}

}  // namespace mshadow

#endif  // MSHADOW_NAMED_ROWS_H_
