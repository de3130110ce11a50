// SPDX-License-Identifier: Apache-2.0
/// \file reshaped.h
/// A tensor of another shape in emitted launchers: reshape(t, shape), t.FlatTo1D(), t.FlatTo2D()
/// and diag(t) as destinations.
#ifndef MSHADOW_RESHAPED_H_
#define MSHADOW_RESHAPED_H_

#include <initializer_list>

#include "mshadow/emitted/launch.h"

namespace mshadow {

MSHADOW_VERSION_BEGIN
namespace detail {
/// Gives \p arg the shape \p shape, of rank \p dim.
/// \throws Error if the numbers of elements differ, if rows overlap, or if they are padded and
///     shorter or longer than the new ones
void Reshape(const char *rule, const char *name, const int64_t *shape, int dim, TensorLayout *arg);
/// Makes \p arg, a square matrix, the column that DiagonalOf returns.
void TakeDiagonal(const char *rule, const char *name, TensorLayout *arg);
}  // namespace detail
MSHADOW_VERSION_END

/// The elements of \p arg, in row-major order, as a tensor of shape \p shape.
/// \param rule the rule's name, for messages
/// \param name the argument's name, for messages
/// \throws Error if the numbers of elements differ, if rows overlap, or if they are padded and
///     shorter or longer than the new ones
template <typename DType>
MSHADOW_CINLINE TensorArg<DType> ReshapedTo(const char *rule, const char *name,
                                            const TensorArg<DType> &arg,
                                            std::initializer_list<int64_t> shape) {
  TensorArg<DType> reshaped = arg;
  detail::Reshape(rule, name, shape.begin(), static_cast<int>(shape.size()), &reshaped);
  return reshaped;
}
/// The same, with the shape of \p like.
template <typename DType>
MSHADOW_CINLINE TensorArg<DType> ReshapedTo(const char *rule, const char *name,
                                            const TensorArg<DType> &arg,
                                            const TensorLayout &like) {
  TensorArg<DType> reshaped = arg;
  detail::Reshape(rule, name, like.shape, like.dim, &reshaped);
  return reshaped;
}

/// The diagonal of \p arg as a matrix of one column, whose rows are a row and an element apart.
/// \param rule the rule's name, for messages
/// \param name the argument's name, for messages
/// \throws Error if \p arg is no square matrix, or if its rows overlap
template <typename DType>
MSHADOW_CINLINE TensorArg<DType> DiagonalOf(const char *rule, const char *name,
                                            const TensorArg<DType> &arg) {
  TensorArg<DType> diagonal = arg;
  detail::TakeDiagonal(rule, name, &diagonal);
  return diagonal;
}

}  // namespace mshadow

#endif  // MSHADOW_RESHAPED_H_
