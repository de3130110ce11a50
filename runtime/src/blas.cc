// SPDX-License-Identifier: Apache-2.0
#include "mshadow/detail/blas.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "mshadow/detail/cast.h"
#include "mshadow/detail/exception.h"
#include "mshadow/expr/op.h"
#include "mshadow/parallel.h"
#include "vector_products.h"
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

// Small products with a vector, for which BLAS takes longer than loops here.

constexpr index_t kSmallEdge = 64;

/// Whether one extent of a product is 1, and the others are not many: vector_products.h. Rows of
/// less than eight columns are added to one element each as fast by BLAS, other vectors of less
/// than four are no vectors.
template <typename T>
MSHADOW_CINLINE bool IsVectorProduct(const Product<T> &p) {
  const index_t rows = p.dst.rows, cols = p.dst.cols, inner = p.inner();
  if (rows > kSmallEdge || cols > kSmallEdge || inner > kSmallEdge) return false;
  if (inner == 1) return rows > 1 && cols >= 4;
  if (rows == 1) return p.transpose_b ? cols > 1 && inner >= 8 : cols >= 4;
  return cols == 1 && (p.transpose_a ? rows >= 4 : inner >= 8);
}
/// \p count elements as neighbours: where they are, or in \p out.
template <typename T>
MSHADOW_CINLINE const T *Gather(const T *from, index_t step, index_t count, T *out) {
  if (step == 1) return from;
  for (index_t i = 0; i < count; ++i) out[i] = from[i * step];
  return out;
}
/// A row times op(m), \p turned: m's rows are the columns.
template <typename T>
MSHADOW_CINLINE void CallRow(const Product<T> &p, const T *x, index_t x_step,
                             const Matrix<const T> &m, bool turned, index_t step) {
  T copy[kSmallEdge], sums[kSmallEdge];
  const VectorLoops<T> &loops = ActiveVectorLoops<T>();
  const auto run = turned ? loops.row_sums : loops.add_rows;
  const T *const vector = Gather(x, x_step, p.inner(), copy);
  if (step == 1)
    return run({vector, p.alpha, p.beta, m.rows, m.cols, m.stride}, m.dptr, p.dst.dptr);
  run({vector, T(1), T(0), m.rows, m.cols, m.stride}, m.dptr, sums);
  for (index_t i = 0; i < p.dst.rows; ++i) {
    T *const to = p.dst.dptr + i * step;
    *to = Update<T, T>(p.alpha, sums[i], p.beta, *to);
  }
}
template <typename T>
MSHADOW_CINLINE void CallVectorProduct(const Product<T> &p) {
  const index_t a_step = p.transpose_a ? 1 : p.a.stride,
                a_row_step = p.transpose_a ? p.a.stride : 1;
  const index_t b_step = p.transpose_b ? 1 : p.b.stride,
                b_row_step = p.transpose_b ? p.b.stride : 1;
  if (p.inner() == 1) {
    T column[kSmallEdge], row[kSmallEdge];
    const T *const x = Gather(p.a.dptr, a_step, p.dst.rows, column);
    const T *const y = Gather(p.b.dptr, b_row_step, p.dst.cols, row);
    ActiveVectorLoops<T>().outer({y, p.alpha, p.beta, p.dst.rows, p.dst.cols, p.dst.stride}, x,
                                 p.dst.dptr);
  } else if (p.dst.rows == 1) {
    CallRow(p, p.a.dptr, a_row_step, p.b, p.transpose_b, 1);
  } else {  // the transpose of the product: b^T op(a)^T
    CallRow(p, p.b.dptr, b_step, p.a, !p.transpose_a, p.dst.stride);
  }
}

#if MSHADOW_USE_CBLAS

constexpr int64_t kMost = std::numeric_limits<int>::max();

[[noreturn]] MSHADOW_NOINLINE void ThrowTooLong(int64_t longest) {
  throw Error("dot: expected extents and strides below 2^31, which BLAS can count, got " +
              std::to_string(longest));
}
/// \throws Error if one of \p numbers, none of which is negative, is more than BLAS can count
template <typename... Number>
MSHADOW_CINLINE void CheckCountable(Number... numbers) {
  if ((static_cast<int64_t>(numbers) | ...) > kMost) {
    ThrowTooLong(std::max({static_cast<int64_t>(numbers)...}));
  }
}
inline int Int(index_t value) { return static_cast<int>(value); }

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

/// BLAS's product of two matrices of certain shapes.
template <typename T, typename Gemm>
class MatrixProduct {
 public:
  MSHADOW_CINLINE MatrixProduct(Gemm gemm, const Product<T> &p)
      : gemm_(gemm),
        a_(Flag(p.transpose_a)),
        b_(Flag(p.transpose_b)),
        rows_(Int(p.dst.rows)),
        cols_(Int(p.dst.cols)),
        inner_(Int(p.inner())),
        a_stride_(Stride(p.a)),
        b_stride_(Stride(p.b)),
        stride_(Stride(p.dst)),
        alpha_(p.alpha),
        beta_(p.beta) {
    // A column is a row transposed, which OpenBLAS multiplies a tenth faster.
    if (inner_ == 1 && a_ == CblasNoTrans && p.a.stride == 1) {
      a_ = CblasTrans;
      a_stride_ = rows_;
    }
  }
  MSHADOW_CINLINE void operator()(const T *a, const T *b, T *dst) const {
    gemm_(CblasRowMajor, a_, b_, rows_, cols_, inner_, alpha_, a, a_stride_, b, b_stride_, beta_,
          dst, stride_);
  }

 private:
  Gemm gemm_;
  CBLAS_TRANSPOSE a_, b_;
  int rows_, cols_, inner_, a_stride_, b_stride_, stride_;
  T alpha_, beta_;
};

/// Whether no routine that does less will do.
template <typename T>
bool IsMatrixProduct(const Product<T> &p) {
  const bool outer = p.inner() == 1 && p.beta == T(1) && IsOuter(p.dst.rows * p.dst.cols);
  return p.dst.rows > 1 && p.dst.cols > 1 && p.inner() > 0 && !outer;
}

// What is so small that calling BLAS takes longer than the product.

constexpr index_t kFewTerms = 32;
constexpr index_t kTinyEdge = 4;

template <typename T>
struct FourOf;
template <>
struct FourOf<float> {
  typedef float type __attribute__((vector_size(16)));
};
template <>
struct FourOf<double> {
  typedef double type __attribute__((vector_size(32)));
};
/// Neighbours, added and multiplied side by side.
template <typename T>
using Four = typename FourOf<T>::type;

/// The sum of \p count products, at most kFewTerms.
template <typename T>
T FewProducts(index_t count, const T *a, const T *b) {
  Four<T> even{}, odd{}, x, y;
  index_t i = 0;
  for (; i + 8 <= count; i += 8) {
    std::memcpy(&x, a + i, sizeof x);
    std::memcpy(&y, b + i, sizeof y);
    even += x * y;
    std::memcpy(&x, a + i + 4, sizeof x);
    std::memcpy(&y, b + i + 4, sizeof y);
    odd += x * y;
  }
  if (count & 4) {
    std::memcpy(&x, a + i, sizeof x);
    std::memcpy(&y, b + i, sizeof y);
    even += x * y;
    i += 4;
  }
  const Four<T> sums = even + odd;
  T sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

/// Whether no extent of a product is more than kTinyEdge.
template <typename T>
MSHADOW_CINLINE bool IsTiny(const Product<T> &p) {
  return p.dst.rows <= kTinyEdge && p.dst.cols <= kTinyEdge && p.inner() <= kTinyEdge;
}
/// Its rows are four elements side by side, of op(b) zeros where it has fewer. kFour: it has four
/// columns and terms, and b is not transposed, so that nothing is asked for each of them.
template <bool kFour, typename T>
MSHADOW_NOINLINE void CallTiny(const Product<T> &p) {
  const index_t cols = kFour ? kTinyEdge : p.dst.cols, inner = kFour ? kTinyEdge : p.inner();
  Four<T> b[kTinyEdge];
  for (index_t k = 0; k < kTinyEdge && k < inner; ++k) {
    if (kFour || (cols == kTinyEdge && !p.transpose_b)) {
      std::memcpy(&b[k], p.b.dptr + k * p.b.stride, sizeof b[k]);
    } else {
      const T *const from = p.b.dptr + (p.transpose_b ? k : k * p.b.stride);
      const index_t step = p.transpose_b ? p.b.stride : 1;
      b[k] = Four<T>{from[0], cols > 1 ? from[step] : T(0), cols > 2 ? from[2 * step] : T(0),
                     cols > 3 ? from[3 * step] : T(0)};
    }
  }
  const T alpha = p.alpha, beta = p.beta;
  const index_t a_row = p.transpose_a ? 1 : p.a.stride, a_step = p.transpose_a ? p.a.stride : 1;
  const index_t stride = p.dst.stride;
  const T *a = p.a.dptr;
  T *row = p.dst.dptr;
  for (index_t y = p.dst.rows; y > 0; --y, a += a_row, row += stride) {
    Four<T> sum = a[0] * b[0];
    for (index_t k = 1; k < inner; ++k) sum += a[k * a_step] * b[k];
    if (kFour) {
      Four<T> old;
      sum = alpha * sum;
      if (beta != T(0)) {
        std::memcpy(&old, row, sizeof old);
        sum += beta * old;
      }
      std::memcpy(row, &sum, sizeof sum);
    } else {
      for (index_t x = 0; x < cols; ++x) row[x] = Update<T, T>(alpha, sum[x], beta, row[x]);
    }
  }
}

/// By the routine that does least: an inner product, an outer one that is added, a matrix and a
/// vector, two matrices.
template <typename T, typename Gemm, typename Gemv, typename Ger, typename Dot>
MSHADOW_CINLINE void CallBlas(Gemm gemm, Gemv gemv, Ger ger, Dot inner, const Product<T> &p) {
  if (IsTiny(p) && (p.dst.rows > 1 || p.dst.cols > 1)) {
    const bool four = p.dst.cols == kTinyEdge && p.inner() == kTinyEdge && !p.transpose_b;
    return four ? CallTiny<true>(p) : CallTiny<false>(p);
  }
  if (IsVectorProduct(p)) return CallVectorProduct(p);
  CheckCountable(p.dst.rows, p.dst.cols, p.inner(), p.a.stride, p.b.stride, p.dst.stride);
  if (p.dst.cols == 1 && p.dst.rows == 1) {
    const int a_step = RowStep(p.a, p.transpose_a), b_step = ColumnStep(p.b, p.transpose_b);
    const bool few = p.inner() <= kFewTerms && a_step == 1 && b_step == 1;
    const T product = few ? FewProducts(p.inner(), p.a.dptr, p.b.dptr)
                          : inner(Int(p.inner()), p.a.dptr, a_step, p.b.dptr, b_step);
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
    MatrixProduct<T, Gemm>(gemm, p)(p.a.dptr, p.b.dptr, p.dst.dptr);
  }
}

MSHADOW_CINLINE void Call(const Product<float> &p) {
  CallBlas(cblas_sgemm, cblas_sgemv, cblas_sger, cblas_sdot, p);
}
MSHADOW_CINLINE void Call(const Product<double> &p) {
  CallBlas(cblas_dgemm, cblas_dgemv, cblas_dger, cblas_ddot, p);
}

/// A batch of products of matrices, whose arguments are prepared once. Returns false of others.
template <typename T, typename Gemm, typename From, typename To>
bool CallBatch(Gemm gemm, const Product<T> &p, const From &a, const From &b, const To &dst) {
  if (IsTiny(p) || IsVectorProduct(p) || !IsMatrixProduct(p)) return false;
  CheckCountable(p.dst.rows, p.dst.cols, p.inner(), p.a.stride, p.b.stride, p.dst.stride);
  const MatrixProduct<T, Gemm> product(gemm, p);
  for (index_t i = 0; i < dst.count; ++i) product(a.at(i).dptr, b.at(i).dptr, dst.at(i).dptr);
  return true;
}
template <typename From, typename To>
bool CallBatch(const Product<float> &p, const From &a, const From &b, const To &dst) {
  return CallBatch(cblas_sgemm, p, a, b, dst);
}
template <typename From, typename To>
bool CallBatch(const Product<double> &p, const From &a, const From &b, const To &dst) {
  return CallBatch(cblas_dgemm, p, a, b, dst);
}

#else

void Call(const Product<float> &p) { IsVectorProduct(p) ? CallVectorProduct(p) : Loops(p); }
void Call(const Product<double> &p) { IsVectorProduct(p) ? CallVectorProduct(p) : Loops(p); }

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

/// Other types, and machines without BLAS: one by one.
template <typename T, typename... Batches>
bool CallBatch(const Product<T> &, const Batches &...) {
  return false;
}

/// dst = beta dst: what is left of a product with an inner extent of 0.
template <typename T>
MSHADOW_NOINLINE void Scale(const Product<T> &p) {
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

namespace {
template <template <typename> class Operand, typename T>
void GemmOfBatch(bool transpose_a, bool transpose_b, T alpha, const Operand<const T> &a,
                 const Operand<const T> &b, T beta, const Operand<T> &dst) {
  if (dst.count == 0) return;
  const Matrix<const T> first_a = a.at(0), first_b = b.at(0);
  const Matrix<T> first = dst.at(0);
  const Product<T> product{transpose_a, transpose_b, alpha, first_a, first_b, beta, first};
  if (CallBatch(product, a, b, dst)) return;
  for (index_t i = 0; i < dst.count; ++i) {
    Gemm(transpose_a, transpose_b, alpha, a.at(i), b.at(i), beta, dst.at(i));
  }
}
}  // namespace

template <typename T>
void Gemm(bool transpose_a, bool transpose_b, T alpha, const Batch<const T> &a,
          const Batch<const T> &b, T beta, const Batch<T> &dst) {
  GemmOfBatch<Batch>(transpose_a, transpose_b, alpha, a, b, beta, dst);
}
template <typename T>
void Gemm(bool transpose_a, bool transpose_b, T alpha, const Pointers<const T> &a,
          const Pointers<const T> &b, T beta, const Pointers<T> &dst) {
  GemmOfBatch<Pointers>(transpose_a, transpose_b, alpha, a, b, beta, dst);
}

#if MSHADOW_USE_CBLAS
float Inner(index_t count, const float *a, const float *b) {
  if (count <= kFewTerms) return FewProducts(count, a, b);
  CheckCountable(count);
  return cblas_sdot(Int(count), a, 1, b, 1);
}
double Inner(index_t count, const double *a, const double *b) {
  if (count <= kFewTerms) return FewProducts(count, a, b);
  CheckCountable(count);
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

#define MSHADOW_GEMM_OF(T, Operand)                                                           \
  template void Gemm<T>(bool, bool, T, const Operand<const T> &, const Operand<const T> &, T, \
                        const Operand<T> &);
#define MSHADOW_GEMM(T)      \
  MSHADOW_GEMM_OF(T, Matrix) \
  MSHADOW_GEMM_OF(T, Batch)  \
  MSHADOW_GEMM_OF(T, Pointers)
MSHADOW_GEMM(float)
MSHADOW_GEMM(double)
MSHADOW_GEMM(half::half_t)
MSHADOW_GEMM(bfloat::bf16_t)
MSHADOW_GEMM(int8_t)
MSHADOW_GEMM(uint8_t)
MSHADOW_GEMM(int16_t)
MSHADOW_GEMM(int32_t)
MSHADOW_GEMM(int64_t)
#undef MSHADOW_GEMM
#undef MSHADOW_GEMM_OF

}  // namespace blas
}  // namespace mshadow
