// SPDX-License-Identifier: Apache-2.0
/// \file reshaped.h
/// A tensor of another shape in emitted launchers: reshape(t, shape), t.FlatTo1D() and t.FlatTo2D()
/// as destinations.
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

}  // namespace mshadow

#endif  // MSHADOW_RESHAPED_H_
