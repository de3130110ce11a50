// SPDX-License-Identifier: Apache-2.0
/// \file dot_engine.h
/// dst (=, +=, -=) [scale *] dot(a[.T()], b[.T()]): one call of BLAS, scale and saver folded into
/// its alpha and beta. Float and double only.
///
/// | dst | a | b | what |
/// | --- | --- | --- | --- |
/// | 2 | 2 | 2 | matrix times matrix, any of the four transpositions |
/// | 1 | 1 | 2 | row vector times matrix |
/// | 1 | 2 | 1 | matrix times column vector |
/// | 2 | 1, `.T()` | 1 | outer product |
#ifndef MSHADOW_DOT_ENGINE_H_
#define MSHADOW_DOT_ENGINE_H_

#include "mshadow/blas.h"
#include "mshadow/expr_engine.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// Matrix products of a device; specialised for each that has them.
template <typename Device, typename DType>
struct BLASEngine {
  static_assert(::mshadow::detail::AlwaysFalse<Device, DType>::value,
                "dot needs tensors of float or double: convert with tcast into a tensor first");
};
template <>
struct BLASEngine<cpu, float> {
  static void Gemm(Stream<cpu> *, bool ta, bool tb, float alpha, const blas::Matrix<const float> &a,
                   const blas::Matrix<const float> &b, float beta, const blas::Matrix<float> &dst) {
    blas::Gemm(ta, tb, alpha, a, b, beta, dst);
  }
};
template <>
struct BLASEngine<cpu, double> {
  static void Gemm(Stream<cpu> *, bool ta, bool tb, double alpha,
                   const blas::Matrix<const double> &a, const blas::Matrix<const double> &b,
                   double beta, const blas::Matrix<double> &dst) {
    blas::Gemm(ta, tb, alpha, a, b, beta, dst);
  }
};

namespace detail {

/// Whether a saver has factors for BLAS; `*=` and `/=` have none.
template <typename Saver, typename = void>
constexpr bool kHasFactors = false;
template <typename Saver>
constexpr bool kHasFactors<Saver, std::void_t<decltype(Saver::AlphaBLAS())>> = true;

template <typename Device, typename DType>
blas::Matrix<DType> AsMatrix(const Tensor<Device, 2, DType> &t) {
  return {t.dptr_, t.shape_[0], t.shape_[1], t.stride_};
}
template <typename Device, typename DType>
blas::Matrix<DType> AsRow(const Tensor<Device, 1, DType> &t) {
  return {t.dptr_, 1, t.shape_[0], t.shape_[0]};
}
template <typename Device, typename DType>
blas::Matrix<DType> AsColumn(const Tensor<Device, 1, DType> &t) {
  return {t.dptr_, t.shape_[0], 1, 1};
}
template <typename T>
blas::Matrix<const T> Const(const blas::Matrix<T> &m) {
  return {m.dptr, m.rows, m.cols, m.stride};
}

/// \throws Error unless op(a) (rows x inner) times op(b) (inner x cols) has dst's shape
void CheckProduct(Shape<2> dst, bool transpose_a, Shape<2> a, bool transpose_b, Shape<2> b);

/// dst = scale op(a) op(b) + beta dst, all of them matrices.
template <typename Saver, typename Device, typename DType>
void EvalProduct(Stream<Device> *stream, DType scale, bool ta, const blas::Matrix<DType> &a,
                 bool tb, const blas::Matrix<DType> &b, const blas::Matrix<DType> &dst) {
  CheckProduct(Shape2(dst.rows, dst.cols), ta, Shape2(a.rows, a.cols), tb, Shape2(b.rows, b.cols));
  BLASEngine<Device, DType>::Gemm(stream, ta, tb, scale * static_cast<DType>(Saver::AlphaBLAS()),
                                  Const(a), Const(b), static_cast<DType>(Saver::BetaBLAS()), dst);
}

}  // namespace detail

template <typename Saver, typename Device, int ddim, int ldim, int rdim, bool ltrans, bool rtrans,
          typename DType>
struct ExpComplexEngine<
    Saver, Tensor<Device, ddim, DType>,
    DotExp<Tensor<Device, ldim, DType>, Tensor<Device, rdim, DType>, ltrans, rtrans, DType>,
    DType> {
  using Dst = Tensor<Device, ddim, DType>;
  using Product =
      DotExp<Tensor<Device, ldim, DType>, Tensor<Device, rdim, DType>, ltrans, rtrans, DType>;

  static void Eval(Dst *dst, const Product &exp) {
    static_assert(detail::kHasFactors<Saver>, "a product can be assigned with =, += and -= only");
    detail::CheckAliasing(*dst, exp);
    const auto run = [&](const auto &a, bool ta, const auto &b, bool tb, const auto &d) {
      detail::EvalProduct<Saver>(dst->stream_, exp.scale_, ta, a, tb, b, d);
    };
    if constexpr (ddim == 2 && ldim == 2 && rdim == 2) {
      run(detail::AsMatrix(exp.lhs_), ltrans, detail::AsMatrix(exp.rhs_), rtrans,
          detail::AsMatrix(*dst));
    } else if constexpr (ddim == 1 && ldim == 1 && rdim == 2 && !ltrans) {
      run(detail::AsRow(exp.lhs_), false, detail::AsMatrix(exp.rhs_), rtrans, detail::AsRow(*dst));
    } else if constexpr (ddim == 1 && ldim == 2 && rdim == 1 && !rtrans) {
      run(detail::AsMatrix(exp.lhs_), ltrans, detail::AsColumn(exp.rhs_), false,
          detail::AsColumn(*dst));
    } else if constexpr (ddim == 2 && ldim == 1 && rdim == 1 && ltrans && !rtrans) {
      run(detail::AsColumn(exp.lhs_), false, detail::AsRow(exp.rhs_), false,
          detail::AsMatrix(*dst));
    } else {
      static_assert(::mshadow::detail::AlwaysFalse<Product>::value,
                    "dot has no product of these ranks: matrix x matrix, vector x matrix, matrix x "
                    "vector, or vector.T() x vector into a matrix");
    }
  }
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_DOT_ENGINE_H_
