// SPDX-License-Identifier: Apache-2.0
/// \file launch_product.h
/// What the products of both devices share: operands as matrices, alpha and beta.
#ifndef MSHADOW_SRC_LAUNCH_PRODUCT_H_
#define MSHADOW_SRC_LAUNCH_PRODUCT_H_

#include <type_traits>

#include "mshadow/detail/blas.h"
#include "mshadow/emitted/launch_product.h"

namespace mshadow {
namespace product {

/// The shape that an operand has as a matrix, and before it the number of matrices.
struct Extents {
  int64_t count, rows, cols;
};

/// A vector is a row, or a column if it is a factor that stands on the right of a matrix, is
/// multiplied by a row, or is transposed.
template <typename DType>
Extents ExtentsOf(const TensorArg<DType> &arg, bool is_column) {
  const int64_t last = arg.shape[arg.dim - 1];
  if (arg.dim == 1) return is_column ? Extents{1, last, 1} : Extents{1, 1, last};
  return {arg.dim == 3 ? arg.shape[0] : 1, arg.shape[arg.dim - 2], last};
}

template <typename DType>
struct Shapes {
  int dim, left, right;  // ranks
  Extents dst, a, b;
  bool transpose_a, transpose_b;

  /// The cases of the table in dot_engine.h.
  explicit Shapes(const LaunchProduct<DType> &product)
      : dim(product.dst.arg.dim), left(product.a.arg.dim), right(product.b.arg.dim) {
    const bool is_outer = dim == 2 && left == 1;
    const bool by_vector = right == 1 && !is_outer;  // matrix times column, or row times column
    dst = ExtentsOf(product.dst.arg, left == 2 && right == 1);
    a = ExtentsOf(product.a.arg, is_outer);
    b = ExtentsOf(product.b.arg, by_vector);
    transpose_a = product.a.transposed && left > 1;
    transpose_b = product.b.transposed && right > 1;
  }

  bool is_known() const {
    const int ranks = 100 * dim + 10 * left + right;
    return ranks == 222 || ranks == 333 || ranks == 112 || ranks == 121 || ranks == 211 ||
           ranks == 111;
  }
  int64_t rows() const { return transpose_a ? a.cols : a.rows; }
  int64_t inner() const { return transpose_a ? a.rows : a.cols; }
  int64_t inner_b() const { return transpose_b ? b.cols : b.rows; }
  int64_t cols() const { return transpose_b ? b.rows : b.cols; }
};

template <typename DType>
TensorArg<const DType> Const(const TensorArg<DType> &arg) {
  return {arg, arg.dptr};
}

template <typename DType>
blas::Matrix<DType> MatrixOf(const TensorArg<DType> &arg, const Extents &extents) {
  const int64_t stride = arg.dim > 1 ? arg.stride : extents.cols;
  return {arg.dptr, static_cast<index_t>(extents.rows), static_cast<index_t>(extents.cols),
          static_cast<index_t>(stride)};
}

template <typename DType>
blas::Batch<DType> BatchOf(const TensorArg<DType> &arg, const Extents &extents) {
  const blas::Matrix<DType> first = MatrixOf(arg, extents);
  return {first, first.rows * first.stride, static_cast<index_t>(extents.count)};
}

/// What does not depend on the device. \throws Error
template <typename DType>
void Check(const char *rule, const LaunchProduct<DType> &product);

/// -1 times it: integers wrap.
template <typename DType>
DType Negated(DType value) {
  if constexpr (std::is_integral_v<DType>) {
    return static_cast<DType>(uint64_t{0} - static_cast<uint64_t>(value));
  } else {
    return -value;
  }
}

/// \p gemm is Gemm of a device, for matrices and for batches.
template <typename DType, typename Gemm>
void Run(const LaunchProduct<DType> &product, const Gemm &gemm) {
  const Shapes<DType> shapes(product);
  const bool ta = shapes.transpose_a, tb = shapes.transpose_b;
  const DType alpha =
      product.saver == ProductSaver::kMinus ? Negated(product.scale) : product.scale;
  const DType beta = ScalarCast<DType>(product.saver == ProductSaver::kSave ? 0 : 1);
  const TensorArg<const DType> a = Const(product.a.arg), b = Const(product.b.arg);
  if (product.dst.arg.dim == 3) {
    gemm(ta, tb, alpha, BatchOf(a, shapes.a), BatchOf(b, shapes.b), beta,
         BatchOf(product.dst.arg, shapes.dst));
  } else {
    gemm(ta, tb, alpha, MatrixOf(a, shapes.a), MatrixOf(b, shapes.b), beta,
         MatrixOf(product.dst.arg, shapes.dst));
  }
}

}  // namespace product
}  // namespace mshadow

#endif  // MSHADOW_SRC_LAUNCH_PRODUCT_H_
