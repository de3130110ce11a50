// SPDX-License-Identifier: Apache-2.0
#include "mshadow/blas.h"

#include <limits>
#include <string>
#include <vector>

#include "mshadow/error.h"
#include "mshadow/parallel.h"
#if MSHADOW_USE_CBLAS
#include <cblas.h>
#endif

namespace mshadow {
namespace blas {
namespace {

template <typename T>
struct Product {
  bool transpose_a;
  bool transpose_b;
  T alpha;
  Matrix<const T> a;
  Matrix<const T> b;
  T beta;
  Matrix<T> dst;

  index_t inner() const { return transpose_a ? a.rows : a.cols; }
};

/// dst = beta dst: what is left of a product with an inner extent of 0.
template <typename T>
void Scale(const Product<T> &p) {
  for (index_t y = 0; y < p.dst.rows; ++y) {
    T *const row = p.dst.dptr + y * p.dst.stride;
    for (index_t x = 0; x < p.dst.cols; ++x) row[x] = p.beta == T{0} ? T{0} : p.beta * row[x];
  }
}

#if MSHADOW_USE_CBLAS

int Int(index_t value) {
  if (value > std::numeric_limits<int>::max()) {
    throw Error("dot: expected extents and strides below 2^31, which BLAS can count, got " +
                std::to_string(value));
  }
  return static_cast<int>(value);
}

CBLAS_TRANSPOSE Flag(bool transpose) { return transpose ? CblasTrans : CblasNoTrans; }

/// BLAS insists on a stride of at least one row, also where there is only one row.
template <typename T>
int Stride(const Matrix<T> &m) {
  return Int(m.stride > m.cols ? m.stride : m.cols);
}

void Call(const Product<float> &p) {
  cblas_sgemm(CblasRowMajor, Flag(p.transpose_a), Flag(p.transpose_b), Int(p.dst.rows),
              Int(p.dst.cols), Int(p.inner()), p.alpha, p.a.dptr, Stride(p.a), p.b.dptr,
              Stride(p.b), p.beta, p.dst.dptr, Stride(p.dst));
}

void Call(const Product<double> &p) {
  cblas_dgemm(CblasRowMajor, Flag(p.transpose_a), Flag(p.transpose_b), Int(p.dst.rows),
              Int(p.dst.cols), Int(p.inner()), p.alpha, p.a.dptr, Stride(p.a), p.b.dptr,
              Stride(p.b), p.beta, p.dst.dptr, Stride(p.dst));
}

#else

/// Row by row: dst[y] = sum over k of a[y][k] * b[k], which reads every row of b in order. Rows are
/// independent, so threads share them; ParallelFor counts in elements of one row each.
template <typename T>
void Rows(const void *context, index_t begin, index_t end) {
  const Product<T> &p = *static_cast<const Product<T> *>(context);
  const index_t cols = p.dst.cols;
  std::vector<T> sum(static_cast<size_t>(cols));
  for (index_t y = (begin + cols - 1) / cols; y * cols < end; ++y) {
    for (T &s : sum) s = T{0};
    for (index_t k = 0; k < p.inner(); ++k) {
      const T a = p.transpose_a ? p.a.dptr[k * p.a.stride + y] : p.a.dptr[y * p.a.stride + k];
      const index_t step = p.transpose_b ? p.b.stride : 1;
      const T *const b = p.b.dptr + (p.transpose_b ? k : k * p.b.stride);
      for (index_t x = 0; x < cols; ++x) sum[static_cast<size_t>(x)] += a * b[x * step];
    }
    T *const row = p.dst.dptr + y * p.dst.stride;
    for (index_t x = 0; x < cols; ++x) {
      const T scaled = p.alpha * sum[static_cast<size_t>(x)];
      row[x] = p.beta == T{0} ? scaled : scaled + p.beta * row[x];
    }
  }
}

template <typename T>
void Call(const Product<T> &p) {
  ParallelFor(p.dst.rows * p.dst.cols, p.inner() * static_cast<index_t>(sizeof(T)), Rows<T>, &p);
}

#endif

template <typename T>
void Run(const Product<T> &p) {
  if (p.dst.rows == 0 || p.dst.cols == 0) return;
  if (p.inner() == 0) {
    Scale(p);
  } else {
    Call(p);
  }
}

}  // namespace

void Gemm(bool transpose_a, bool transpose_b, float alpha, Matrix<const float> a,
          Matrix<const float> b, float beta, Matrix<float> dst) {
  Run(Product<float>{transpose_a, transpose_b, alpha, a, b, beta, dst});
}

void Gemm(bool transpose_a, bool transpose_b, double alpha, Matrix<const double> a,
          Matrix<const double> b, double beta, Matrix<double> dst) {
  Run(Product<double>{transpose_a, transpose_b, alpha, a, b, beta, dst});
}

}  // namespace blas
}  // namespace mshadow
