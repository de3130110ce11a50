// SPDX-License-Identifier: Apache-2.0
#include "mshadow/launch_product.h"

#include <string>
#include <type_traits>

#include "mshadow/blas.h"
#if MSHADOW_RUNTIME_LIBRARY  // standalone sources have no cuBLAS
#include "mshadow/blas_engine.h"
#endif

namespace mshadow {
namespace {

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
  Extents dst, a, b;
  bool transpose_a, transpose_b;

  /// The cases of the table in dot_engine.h.
  explicit Shapes(const LaunchProduct<DType> &product) {
    const int dim = product.dst.arg.dim, left = product.a.arg.dim, right = product.b.arg.dim;
    const bool is_outer = dim == 2 && left == 1;
    const bool by_vector = right == 1 && !is_outer;  // matrix times column, or row times column
    dst = ExtentsOf(product.dst.arg, left == 2 && right == 1);
    a = ExtentsOf(product.a.arg, is_outer);
    b = ExtentsOf(product.b.arg, by_vector);
    transpose_a = product.a.transposed && left > 1;
    transpose_b = product.b.transposed && right > 1;
  }

  int64_t rows() const { return transpose_a ? a.cols : a.rows; }
  int64_t inner() const { return transpose_a ? a.rows : a.cols; }
  int64_t inner_b() const { return transpose_b ? b.cols : b.rows; }
  int64_t cols() const { return transpose_b ? b.rows : b.cols; }
};

[[noreturn]] void Fail(const char *rule, const char *name, const std::string &text) {
  throw Error(std::string(rule) + ": argument '" + name + "': " + text);
}

template <typename DType>
TensorArg<const DType> Const(const TensorArg<DType> &arg) {
  TensorArg<const DType> same = {arg.dptr, arg.dim, {}, arg.stride, arg.stream};
  for (int i = 0; i < arg.dim; ++i) same.shape[i] = arg.shape[i];
  return same;
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
  const DType alpha = product.saver == ProductSaver::kMinus ? Negated(product.scale) : product.scale;
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

}  // namespace

template <typename DType>
void CheckProduct(const char *rule, const LaunchProduct<DType> &product) {
  LaunchCheck check(rule, cpu());
  check.Argument(product.dst.name, product.dst.arg,
                 product.saver == ProductSaver::kSave ? Access::kWrite : Access::kReadWrite,
                 OperandMap::kOther);
  check.Argument(product.a.name, product.a.arg, Access::kRead, OperandMap::kOther);
  check.Argument(product.b.name, product.b.arg, Access::kRead, OperandMap::kOther);
  check.Run();
  const Shapes<DType> shapes(product);
  const auto require = [rule](const char *name, const char *what, int64_t expected, int64_t got) {
    if (expected == got) return;
    Fail(rule, name, "expected " + std::to_string(expected) + " " + what + " in the product, got " +
                         std::to_string(got));
  };
  require(product.b.name, "elements to go with one of the other factor's rows", shapes.inner(),
          shapes.inner_b());
  require(product.dst.name, "rows", shapes.rows(), shapes.dst.rows);
  require(product.dst.name, "columns", shapes.cols(), shapes.dst.cols);
  require(product.b.name, "matrices", shapes.a.count, shapes.b.count);
  require(product.dst.name, "matrices", shapes.a.count, shapes.dst.count);
}

template <typename DType>
void RunProduct(cpu, const LaunchProduct<DType> &product, void *) {
  Run(product, [](bool ta, bool tb, DType alpha, const auto &a, const auto &b, DType beta,
                  const auto &dst) { blas::Gemm(ta, tb, alpha, a, b, beta, dst); });
}

#if MSHADOW_RUNTIME_LIBRARY
template <typename DType>
void RunProduct(gpu, const LaunchProduct<DType> &product, void *stream) {
  if constexpr (expr::detail::kHasProduct<gpu, DType>) {
    auto *const queue = static_cast<Stream<gpu> *>(stream);
    Run(product, [queue](bool ta, bool tb, DType alpha, const auto &a, const auto &b, DType beta,
                         const auto &dst) { cuda::Gemm(queue, ta, tb, alpha, a, b, beta, dst); });
  } else {
    throw Error("dot on a GPU: expected float, double, half_t or bf16_t, got another type");
  }
}
#else
template <typename DType>
void RunProduct(gpu, const LaunchProduct<DType> &, void *) {
  throw Error("dot on a GPU: expected the runtime library, got standalone sources");
}
#endif

#define MSHADOW_PRODUCT_OF(T)                                                   \
  template void CheckProduct<T>(const char *, const LaunchProduct<T> &);        \
  template void RunProduct<T>(cpu, const LaunchProduct<T> &, void *);           \
  template void RunProduct<T>(gpu, const LaunchProduct<T> &, void *);
MSHADOW_PRODUCT_OF(float)
MSHADOW_PRODUCT_OF(double)
MSHADOW_PRODUCT_OF(half::half_t)
MSHADOW_PRODUCT_OF(bfloat::bf16_t)
MSHADOW_PRODUCT_OF(int8_t)
MSHADOW_PRODUCT_OF(uint8_t)
MSHADOW_PRODUCT_OF(int32_t)
MSHADOW_PRODUCT_OF(int64_t)
#undef MSHADOW_PRODUCT_OF

}  // namespace mshadow
