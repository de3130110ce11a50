// SPDX-License-Identifier: Apache-2.0
#include "mshadow/blas.h"

#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "mshadow/cast.h"
#include "mshadow/error.h"
#include "mshadow/op.h"
#include "mshadow/parallel.h"
#if MSHADOW_USE_CBLAS
#include <cblas.h>
#endif

namespace mshadow {
namespace blas {
namespace {

/// What Gemm was given; the matrices are the caller's.
template <typename T>
struct Product {
  bool transpose_a;
  bool transpose_b;
  T alpha;
  const Matrix<const T> &a;
  const Matrix<const T> &b;
  T beta;
  const Matrix<T> &dst;

  index_t inner() const { return transpose_a ? a.rows : a.cols; }
};

/// alpha * product + beta * old, in type A, as a T; old is not read if beta is 0.
template <typename T, typename A>
T Update(A alpha, A product, A beta, T old) {
  const A scaled = static_cast<A>(alpha * product);
  if (beta == A{0}) return ScalarCast<T>(scaled);
  return ScalarCast<T>(static_cast<A>(scaled + static_cast<A>(beta * static_cast<A>(old))));
}

/// Row by row: dst[y] = sum over k of a[y][k] * b[k], which reads every row of b in order. Rows are
/// independent, so threads share them; ParallelFor counts in elements of one row each.
template <typename T>
void Rows(const void *context, index_t begin, index_t end) {
  using A = ::mshadow::detail::ArithmeticType<T>;
  const Product<T> &p = *static_cast<const Product<T> *>(context);
  const index_t cols = p.dst.cols;
  std::vector<A> sum(static_cast<size_t>(cols));
  for (index_t y = (begin + cols - 1) / cols; y * cols < end; ++y) {
    for (A &s : sum) s = A{0};
    for (index_t k = 0; k < p.inner(); ++k) {
      const A a = static_cast<A>(p.transpose_a ? p.a.dptr[k * p.a.stride + y]
                                               : p.a.dptr[y * p.a.stride + k]);
      const index_t step = p.transpose_b ? p.b.stride : 1;
      const T *const b = p.b.dptr + (p.transpose_b ? k : k * p.b.stride);
      for (index_t x = 0; x < cols; ++x) {
        sum[static_cast<size_t>(x)] += static_cast<A>(a * static_cast<A>(b[x * step]));
      }
    }
    T *const row = p.dst.dptr + y * p.dst.stride;
    for (index_t x = 0; x < cols; ++x) {
      row[x] = Update<T, A>(static_cast<A>(p.alpha), sum[static_cast<size_t>(x)],
                            static_cast<A>(p.beta), row[x]);
    }
  }
}

template <typename T>
void Loops(const Product<T> &p) {
  ParallelFor(p.dst.rows * p.dst.cols, p.inner() * static_cast<index_t>(sizeof(T)), Rows<T>, &p);
}

#if MSHADOW_USE_CBLAS

[[noreturn]] MSHADOW_NOINLINE void ThrowTooLong(index_t value) {
  throw Error("dot: expected extents and strides below 2^31, which BLAS can count, got " +
              std::to_string(value));
}
inline int Int(index_t value) {
  if (value > std::numeric_limits<int>::max()) ThrowTooLong(value);
  return static_cast<int>(value);
}

CBLAS_TRANSPOSE Flag(bool transpose) { return transpose ? CblasTrans : CblasNoTrans; }

/// BLAS insists on a stride of at least one row, also where there is only one row.
template <typename T>
int Stride(const Matrix<T> &m) {
  return Int(m.stride > m.cols ? m.stride : m.cols);
}

/// y = alpha op(m) x + beta y; the steps are those between elements.
template <typename T, typename Gemv>
void MatrixTimesVector(Gemv gemv, const Product<T> &p, bool transpose, const Matrix<const T> &m,
                       const T *x, int x_step, int y_step) {
  gemv(CblasRowMajor, Flag(transpose), Int(m.rows), Int(m.cols), p.alpha, m.dptr, Stride(m), x,
       x_step, p.beta, p.dst.dptr, y_step);
}

/// The step between neighbours of a column of op(m), or of a row; BLAS insists on one.
template <typename T>
int ColumnStep(const Matrix<T> &m, bool transpose) {
  return transpose || m.stride < 1 ? 1 : Int(m.stride);
}
template <typename T>
int RowStep(const Matrix<T> &m, bool transpose) {
  return ColumnStep(m, !transpose);
}

/// Whether an outer product of \p elements is best added by the routine of that name, which goes
/// row by row. Between a handful of elements and 65536, a product of small matrices takes as long,
/// or half as long.
bool IsOuter(index_t elements) { return elements < 128 || elements > 65536; }

/// By the routine that does least: an inner product, an outer one that is added, a matrix and a
/// vector, two matrices.
template <typename T, typename Gemm, typename Gemv, typename Ger, typename Dot>
MSHADOW_CINLINE void CallBlas(Gemm gemm, Gemv gemv, Ger ger, Dot inner, const Product<T> &p) {
  if (p.dst.cols == 1 && p.dst.rows == 1) {
    const T product = inner(Int(p.inner()), p.a.dptr, RowStep(p.a, p.transpose_a), p.b.dptr,
                            ColumnStep(p.b, p.transpose_b));
    *p.dst.dptr = Update<T, T>(p.alpha, product, p.beta, *p.dst.dptr);
  } else if (p.inner() == 1 && p.beta == T(1) && IsOuter(p.dst.rows * p.dst.cols)) {
    ger(CblasRowMajor, Int(p.dst.rows), Int(p.dst.cols), p.alpha, p.a.dptr,
        ColumnStep(p.a, p.transpose_a), p.b.dptr, RowStep(p.b, p.transpose_b), p.dst.dptr,
        Stride(p.dst));
  } else if (p.dst.cols == 1) {
    MatrixTimesVector(gemv, p, p.transpose_a, p.a, p.b.dptr, ColumnStep(p.b, p.transpose_b),
                      ColumnStep(p.dst, false));
  } else if (p.dst.rows == 1) {  // the transpose of the product: op(b)^T a^T
    MatrixTimesVector(gemv, p, !p.transpose_b, p.b, p.a.dptr, RowStep(p.a, p.transpose_a), 1);
  } else {
    gemm(CblasRowMajor, Flag(p.transpose_a), Flag(p.transpose_b), Int(p.dst.rows), Int(p.dst.cols),
         Int(p.inner()), p.alpha, p.a.dptr, Stride(p.a), p.b.dptr, Stride(p.b), p.beta, p.dst.dptr,
         Stride(p.dst));
  }
}

void Call(const Product<float> &p) {
  CallBlas(cblas_sgemm, cblas_sgemv, cblas_sger, cblas_sdot, p);
}
void Call(const Product<double> &p) {
  CallBlas(cblas_dgemm, cblas_dgemv, cblas_dger, cblas_ddot, p);
}

#else

void Call(const Product<float> &p) { Loops(p); }
void Call(const Product<double> &p) { Loops(p); }

#endif

/// The elements of a matrix as floats, without gaps.
template <typename T>
std::vector<float> ToFloat(const Matrix<const T> &m) {
  std::vector<float> result(static_cast<size_t>(m.rows * m.cols));
  float *to = result.data();
  for (index_t y = 0; y < m.rows; ++y) {
    for (index_t x = 0; x < m.cols; ++x) *to++ = static_cast<float>(m.dptr[y * m.stride + x]);
  }
  return result;
}

/// 16-bit floats: a product of floats, rounded once when it is stored.
template <typename T>
void CallNarrow(const Product<T> &p) {
  const std::vector<float> a = ToFloat(p.a), b = ToFloat(p.b);
  std::vector<float> product(static_cast<size_t>(p.dst.rows * p.dst.cols));
  Call(Product<float>{p.transpose_a, p.transpose_b, 1.0f,
                      Matrix<const float>{a.data(), p.a.rows, p.a.cols, p.a.cols},
                      Matrix<const float>{b.data(), p.b.rows, p.b.cols, p.b.cols}, 0.0f,
                      Matrix<float>{product.data(), p.dst.rows, p.dst.cols, p.dst.cols}});
  const float *from = product.data();
  for (index_t y = 0; y < p.dst.rows; ++y) {
    T *const row = p.dst.dptr + y * p.dst.stride;
    for (index_t x = 0; x < p.dst.cols; ++x) {
      row[x] = Update<T, float>(p.alpha, *from++, p.beta, row[x]);
    }
  }
}
void Call(const Product<half::half_t> &p) { CallNarrow(p); }
void Call(const Product<bfloat::bf16_t> &p) { CallNarrow(p); }

template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
void Call(const Product<T> &p) {
  Loops(p);
}

/// dst = beta dst: what is left of a product with an inner extent of 0.
template <typename T>
void Scale(const Product<T> &p) {
  using A = ::mshadow::detail::ArithmeticType<T>;
  for (index_t y = 0; y < p.dst.rows; ++y) {
    T *const row = p.dst.dptr + y * p.dst.stride;
    for (index_t x = 0; x < p.dst.cols; ++x) {
      row[x] = p.beta == T(0)
                   ? T(0)
                   : ScalarCast<T>(static_cast<A>(static_cast<A>(p.beta) * static_cast<A>(row[x])));
    }
  }
}

}  // namespace

template <typename T>
void Gemm(bool transpose_a, bool transpose_b, T alpha, const Matrix<const T> &a,
          const Matrix<const T> &b, T beta, const Matrix<T> &dst) {
  if (dst.rows == 0 || dst.cols == 0) return;
  const Product<T> product{transpose_a, transpose_b, alpha, a, b, beta, dst};
  if (product.inner() == 0) {
    Scale(product);
  } else {
    Call(product);
  }
}

#if MSHADOW_USE_CBLAS
float Inner(index_t count, const float *a, const float *b) {
  return cblas_sdot(Int(count), a, 1, b, 1);
}
double Inner(index_t count, const double *a, const double *b) {
  return cblas_ddot(Int(count), a, 1, b, 1);
}
#else
namespace {
template <typename T>
T InnerByLoops(index_t count, const T *a, const T *b) {
  T product{};
  Gemm(false, false, T(1), Matrix<const T>{a, 1, count, count}, Matrix<const T>{b, count, 1, 1},
       T(0), Matrix<T>{&product, 1, 1, 1});
  return product;
}
}  // namespace
float Inner(index_t count, const float *a, const float *b) { return InnerByLoops(count, a, b); }
double Inner(index_t count, const double *a, const double *b) { return InnerByLoops(count, a, b); }
#endif

#define MSHADOW_GEMM(T)                                                                     \
  template void Gemm<T>(bool, bool, T, const Matrix<const T> &, const Matrix<const T> &, T, \
                        const Matrix<T> &);
MSHADOW_GEMM(float)
MSHADOW_GEMM(double)
MSHADOW_GEMM(half::half_t)
MSHADOW_GEMM(bfloat::bf16_t)
MSHADOW_GEMM(int8_t)
MSHADOW_GEMM(uint8_t)
MSHADOW_GEMM(int32_t)
MSHADOW_GEMM(int64_t)
#undef MSHADOW_GEMM

}  // namespace blas
}  // namespace mshadow
