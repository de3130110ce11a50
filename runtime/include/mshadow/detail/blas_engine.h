// SPDX-License-Identifier: Apache-2.0
/// \file blas_engine.h
/// BLASEngine<Device, DType>: the products of a device. Gemm is what dot is made of, row-major; the
/// others are the names under which mshadow's users call BLAS themselves, column-major as there.
#ifndef MSHADOW_BLAS_ENGINE_H_
#define MSHADOW_BLAS_ENGINE_H_

#include "mshadow/detail/blas.h"
#include "mshadow/detail/stream_gpu.h"
#include "mshadow/detail/tensor_view.h"

namespace mshadow {
namespace cuda {

/// dst = alpha op(a) op(b) + beta dst, row-major, as blas::Gemm; queued on \p stream. For float,
/// double, half_t and bf16_t; the 16-bit types accumulate in float.
/// \throws Error if the stream has no BLAS handle, or an extent exceeds what cuBLAS can count
template <typename T>
void Gemm(Stream<gpu> *stream, bool transpose_a, bool transpose_b, T alpha,
          const blas::Matrix<const T> &a, const blas::Matrix<const T> &b, T beta,
          const blas::Matrix<T> &dst);
/// The same for each matrix of three batches of one length, in one call.
template <typename T>
void Gemm(Stream<gpu> *stream, bool transpose_a, bool transpose_b, T alpha,
          const blas::Batch<const T> &a, const blas::Batch<const T> &b, T beta,
          const blas::Batch<T> &dst);
/// The same for matrices wherever they are; the arrays of pointers are the device's memory.
template <typename T>
void Gemm(Stream<gpu> *stream, bool transpose_a, bool transpose_b, T alpha,
          const blas::Pointers<const T> &a, const blas::Pointers<const T> &b, T beta,
          const blas::Pointers<T> &dst);

}  // namespace cuda

namespace expr {
MSHADOW_VERSION_BEGIN

namespace detail {

/// Whether a device multiplies matrices of DType.
template <typename Device, typename DType>
constexpr bool kHasProduct = TypeList<float, double, half::half_t, bfloat::bf16_t, int8_t, uint8_t,
                                      int16_t, int32_t, int64_t>::template Has<DType>();
template <typename DType>
constexpr bool kHasProduct<gpu, DType> =
    TypeList<float, double, half::half_t, bfloat::bf16_t>::template Has<DType>();

template <template <typename> class Operand, typename T>
void Multiply(Stream<cpu> *, bool ta, bool tb, T alpha, const Operand<const T> &a,
              const Operand<const T> &b, T beta, const Operand<T> &dst) {
  blas::Gemm(ta, tb, alpha, a, b, beta, dst);
}
template <template <typename> class Operand, typename T>
void Multiply(Stream<gpu> *stream, bool ta, bool tb, T alpha, const Operand<const T> &a,
              const Operand<const T> &b, T beta, const Operand<T> &dst) {
  cuda::Gemm(stream, ta, tb, alpha, a, b, beta, dst);
}

}  // namespace detail

template <typename Device, typename DType>
struct BLASEngine {
  static_assert(detail::kHasProduct<Device, DType>,
                "dot has no product of this element type: on the CPU it takes float, double, "
                "half_t, bf16_t, int8, uint8, int16, int32 and int64, on a GPU the floating-point "
                "types; convert with tcast into a tensor first");
  using Queue = Stream<Device>;
  using Matrix = blas::Matrix<DType>;
  using ConstMatrix = blas::Matrix<const DType>;

  /// dst = alpha op(a) op(b) + beta dst for row-major matrices, or batches of them, whose shapes
  /// fit.
  static void Gemm(Queue *stream, bool ta, bool tb, DType alpha, const ConstMatrix &a,
                   const ConstMatrix &b, DType beta, const Matrix &dst) {
    detail::Multiply<blas::Matrix>(stream, ta, tb, alpha, a, b, beta, dst);
  }
  static void Gemm(Queue *stream, bool ta, bool tb, DType alpha, const blas::Batch<const DType> &a,
                   const blas::Batch<const DType> &b, DType beta, const blas::Batch<DType> &dst) {
    detail::Multiply<blas::Batch>(stream, ta, tb, alpha, a, b, beta, dst);
  }

  // In column-major order, with BLAS's arguments: C (m x n) = alpha op(A) op(B) + beta C, and so
  // on. A column-major matrix is the transpose of the row-major one in the same memory.

  static void SetStream(Queue *) {}
  static void gemm(Queue *stream, bool transa, bool transb, int m, int n, int k, DType alpha,
                   const DType *A, int lda, const DType *B, int ldb, DType beta, DType *C,
                   int ldc) {
    Gemm(stream, transb, transa, alpha, Rows(B, transb ? k : n, transb ? n : k, ldb),
         Rows(A, transa ? m : k, transa ? k : m, lda), beta, To(C, n, m, ldc));
  }
  /// Matrices that follow each other without gaps; \p workspace is not needed.
  static void batched_gemm(Queue *stream, bool transa, bool transb, int m, int n, int k,
                           DType alpha, const DType *A, int lda, const DType *B, int ldb,
                           DType beta, DType *C, int ldc, int batch_count,
                           DType **workspace = nullptr) {
    static_cast<void>(workspace);
    const ConstMatrix a = Rows(A, transa ? m : k, transa ? k : m, lda);
    const ConstMatrix b = Rows(B, transb ? k : n, transb ? n : k, ldb);
    const Matrix c = To(C, n, m, ldc);
    const index_t count = static_cast<index_t>(batch_count);
    Gemm(stream, transb, transa, alpha, {b, b.rows * b.stride, count},
         {a, a.rows * a.stride, count}, beta, {c, c.rows * c.stride, count});
  }
  /// Matrices wherever they are: \p count pointers to each kind, in memory of the device.
  static void batched_gemm(Queue *stream, bool transa, bool transb, int m, int n, int k,
                           DType alpha, const DType *const *A, int lda, const DType *const *B,
                           int ldb, DType beta, DType *const *C, int ldc, int count) {
    const ConstMatrix a = Rows(nullptr, transa ? m : k, transa ? k : m, lda);
    const ConstMatrix b = Rows(nullptr, transb ? k : n, transb ? n : k, ldb);
    const index_t matrices = static_cast<index_t>(count);
    detail::Multiply<blas::Pointers>(
        stream, transb, transa, alpha, {B, b.rows, b.cols, b.stride, matrices},
        {A, a.rows, a.cols, a.stride, matrices}, beta,
        {C, static_cast<index_t>(n), static_cast<index_t>(m), static_cast<index_t>(ldc), matrices});
  }
  /// Y = alpha op(A) X + beta Y for A of m x n.
  static void gemv(Queue *stream, bool trans, int m, int n, DType alpha, const DType *A, int lda,
                   const DType *X, int incX, DType beta, DType *Y, int incY) {
    Gemm(stream, !trans, false, alpha, Rows(A, n, m, lda), Rows(X, trans ? m : n, 1, incX), beta,
         To(Y, trans ? n : m, 1, incY));
  }
  static void batched_gemv(Queue *stream, bool trans, int m, int n, DType alpha, const DType *A,
                           int lda, const DType *X, int incX, DType beta, DType *Y, int incY,
                           int batch_count) {
    for (std::ptrdiff_t i = 0; i < batch_count; ++i) {
      gemv(stream, trans, m, n, alpha, A + i * n * lda, lda, X + i * (trans ? m : n) * incX, incX,
           beta, Y + i * (trans ? n : m) * incY, incY);
    }
  }
  /// A (m x n) += alpha X Y^T.
  static void ger(Queue *stream, int m, int n, DType alpha, const DType *X, int incX,
                  const DType *Y, int incY, DType *A, int lda) {
    Gemm(stream, false, true, alpha, Rows(Y, n, 1, incY), Rows(X, m, 1, incX), DType(1),
         To(A, n, m, lda));
  }
  static void batched_ger(Queue *stream, int m, int n, DType alpha, const DType *X, int incX,
                          const DType *Y, int incY, DType *A, int lda, int batch_count) {
    for (std::ptrdiff_t i = 0; i < batch_count; ++i) {
      ger(stream, m, n, alpha, X + i * m * incX, incX, Y + i * n * incY, incY, A + i * lda * n,
          lda);
    }
  }
  /// *ret = X Y; on a GPU ret is there, too.
  static void dot(Queue *stream, int n, const DType *X, int incX, const DType *Y, int incY,
                  DType *ret) {
    Gemm(stream, true, false, DType(1), Rows(X, n, 1, incX), Rows(Y, n, 1, incY), DType(0),
         To(ret, 1, 1, 1));
  }

 private:
  static ConstMatrix Rows(const DType *dptr, int rows, int cols, int stride) {
    return {dptr, static_cast<index_t>(rows), static_cast<index_t>(cols),
            static_cast<index_t>(stride)};
  }
  static Matrix To(DType *dptr, int rows, int cols, int stride) {
    return {dptr, static_cast<index_t>(rows), static_cast<index_t>(cols),
            static_cast<index_t>(stride)};
  }
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_BLAS_ENGINE_H_
