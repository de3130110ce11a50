// SPDX-License-Identifier: Apache-2.0
/// \file tensor_arg.h
/// The tensor arguments of emitted launchers, of any rank, and slices of them.
#ifndef MSHADOW_TENSOR_ARG_H_
#define MSHADOW_TENSOR_ARG_H_

#include <type_traits>
#include <utility>

#include "mshadow/detail/exception.h"
#include "mshadow/detail/tensor_view.h"

namespace mshadow {

/// The greatest rank of a launcher's tensor.
constexpr int kMaxRank = 8;

/// The part of a launcher's tensor argument that does not depend on the element type.
struct TensorLayout {
  int dim;
  int64_t shape[kMaxRank];
  int64_t stride;  ///< elements from the start of one row to that of the next
  void *stream;    ///< Stream<xpu> *, or null
  /// The extent of dimension dim - 1 - count. \throws Error if there is no such dimension
  int64_t ExtentFromLast(const char *rule, const char *name, int count) const;
};

/// A launcher's tensor argument, of rank 1 to kMaxRank.
template <typename DType>
struct TensorArg : TensorLayout {
  DType *dptr;

  /// The product of all extents but the last \p count.
  MSHADOW_CINLINE int64_t rows(int count = 1) const {
    int64_t product = 1;
    for (int i = 0; i + count < dim; ++i) product *= shape[i];
    return product;
  }
  /// The distance between elements that differ by 1 in the coordinate along one dimension, which is
  /// \p count dimensions before the last.
  MSHADOW_CINLINE int64_t StepFromLast(int count) const {
    if (count == 0) return 1;
    int64_t step = stride;
    for (int i = 1; i < count; ++i) step *= shape[dim - 1 - i];
    return step;
  }
  /// The last extent.
  MSHADOW_CINLINE int64_t cols() const { return shape[dim - 1]; }
  MSHADOW_CINLINE int64_t Size() const { return rows() * cols(); }
  /// Whether rows follow each other without padding.
  MSHADOW_CINLINE bool CheckContiguous() const { return stride == cols() || rows() <= 1; }
  /// The elements of a tensor without padding in row-major order, as a vector.
  MSHADOW_CINLINE TensorArg FlatTo1D() const {
    TensorArg elements = *this;
    elements.dim = 1;
    elements.shape[0] = elements.stride = Size();
    return elements;
  }
};

/// \p tensor as a launcher's argument.
template <typename Device, int dim, typename DType>
TensorArg<DType> Arg(const Tensor<Device, dim, DType> &tensor) {
  static_assert(dim <= kMaxRank, "rules take tensors of at most 8 dimensions");
  TensorArg<DType> arg;
  arg.dptr = tensor.dptr_;
  arg.dim = dim;
  for (int i = 0; i < dim; ++i) arg.shape[i] = tensor.shape_[i];
  arg.stride = tensor.stride_;
  arg.stream = tensor.stream_;
  return arg;
}

MSHADOW_VERSION_BEGIN
namespace detail {
/// The number of elements from the start of the first row to the end of the last, if rows start
/// \p stride apart. 0 if rows overlap, or if the bytes might not fit int64_t for some element type.
[[gnu::const]] int64_t ElementsOf(int64_t rows, int64_t cols, int64_t stride);
/// The product of all extents but the last; 0 if one of them is 0 or negative, or the product
/// overflows.
[[gnu::pure]] int64_t CountRows(int dim, const int64_t *shape);
/// Whether the first \p dim extents of two shapes are the same.
[[gnu::pure]] bool HasExtents(int dim, const int64_t *shape, const int64_t *other);

/// \throws Error if the rank is not \p expected, if [begin, end) is not a range of dimension
///     \p axis, or if rows overlap
void CheckPart(const char *rule, const char *name, const int64_t *shape, int dim, int64_t stride,
               int expected, int axis, int64_t begin, int64_t end);
}  // namespace detail
MSHADOW_VERSION_END

/// The slice [\p begin, \p end) of dimension \p axis, the first or the last, of \p arg.
/// \param rule the rule's name, for messages
/// \param name the argument's name, for messages
/// \throws Error if the rank is not \p rank, if there is no such range, or if rows overlap
template <int axis, typename DType>
MSHADOW_CINLINE TensorArg<DType> PartOf(const char *rule, const char *name,
                                        const TensorArg<DType> &arg, int rank, int64_t begin,
                                        int64_t end) {
  detail::CheckPart(rule, name, arg.shape, arg.dim, arg.stride, rank, axis, begin, end);
  TensorArg<DType> part = arg;
  int64_t step = axis == rank - 1 ? 1 : arg.stride;
  for (int d = axis + 1; d + 1 < rank; ++d) step *= arg.shape[d];
  if (part.dptr != nullptr) part.dptr += begin * step;  // null stays null, which the checks report
  part.shape[axis] = end - begin;
  return part;
}

/// The slice [\p begin, \p end) of the last dimension of \p arg, whatever its rank.
/// \throws Error if there is no such range, or if rows overlap
template <typename DType>
MSHADOW_CINLINE TensorArg<DType> LastPartOf(const char *rule, const char *name,
                                            const TensorArg<DType> &arg, int64_t begin,
                                            int64_t end) {
  detail::CheckPart(rule, name, arg.shape, arg.dim, arg.stride, arg.dim, arg.dim - 1, begin, end);
  TensorArg<DType> part = arg;
  if (part.dptr != nullptr) part.dptr += begin;
  part.shape[arg.dim - 1] = end - begin;
  return part;
}

/// A slice of an inner dimension of a tensor. Its rows lie in groups of `inner` rows. The rows of a
/// group are `stride` elements apart, the groups `pitch` elements.
template <typename DType>
struct InnerPart : TensorArg<DType> {
  int64_t inner;  ///< rows of a group, at least 1
  int64_t pitch;  ///< elements from the start of one group to that of the next
};

/// The slice [\p begin, \p end) of dimension \p axis, neither the first nor the last, of \p arg.
/// \throws Error if the rank is not \p rank, if there is no such range, or if rows overlap
template <int axis, typename DType>
MSHADOW_CINLINE InnerPart<DType> InnerPartOf(const char *rule, const char *name,
                                             const TensorArg<DType> &arg, int rank, int64_t begin,
                                             int64_t end) {
  detail::CheckPart(rule, name, arg.shape, arg.dim, arg.stride, rank, axis, begin, end);
  InnerPart<DType> part = {arg, 1, 0};
  int64_t rows = 1;  // rows of memory for each coordinate along `axis`
  for (int d = axis + 1; d + 1 < rank; ++d) rows *= arg.shape[d];
  if (rows * (end - begin) > 1) part.inner = rows * (end - begin);
  part.pitch = arg.shape[axis] * rows * arg.stride;
  if (part.dptr != nullptr) part.dptr += begin * rows * arg.stride;
  part.shape[axis] = end - begin;
  return part;
}

/// The same for an argument that is itself a slice of dimension \p axis.
template <int axis, typename DType>
MSHADOW_CINLINE InnerPart<DType> InnerPartOf(const char *rule, const char *name,
                                             const InnerPart<DType> &arg, int rank, int64_t begin,
                                             int64_t end) {
  const TensorArg<DType> &group = arg;
  InnerPart<DType> part = InnerPartOf<axis>(rule, name, group, rank, begin, end);
  part.pitch = arg.pitch;
  return part;
}

/// Rows of a matrix that indices name. The extents are theirs; the memory is that of the matrix.
template <typename DType>
struct NamedRows : TensorArg<DType> {
  int64_t rows_of_matrix;
};

/// What \p make returns, such as a slice, where a launch uses it; otherwise one without elements,
/// which must not be read: a slice that no statement uses is not checked.
template <typename Make>
MSHADOW_CINLINE auto OnlyIf(bool used, const Make &make) {
  return used ? make() : decltype(make())();
}

}  // namespace mshadow

#endif  // MSHADOW_TENSOR_ARG_H_
