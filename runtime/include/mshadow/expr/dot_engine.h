// SPDX-License-Identifier: Apache-2.0
/// \file dot_engine.h
/// dst (=, +=, -=) [scale *] dot(a[.T()], b[.T()]) and batch_dot<ta, tb>(a, b). Each is one call of
/// BLAS, whose alpha and beta include the scale and the saver. The table shows ranks.
///
/// | dst | a | b | what |
/// | --- | --- | --- | --- |
/// | 2 | 2 | 2 | matrix times matrix, any of the four transpositions |
/// | 1 | 1 | 2 | row vector times matrix |
/// | 1 | 2 | 1 | matrix times column vector |
/// | 2 | 1, `.T()` | 1 | outer product |
/// | 1, one element | 1 | 1, maybe `.T()` | inner product |
/// | 3 | 3 | 3 | batch_dot: matrix times matrix for each element of the first dimension |
#ifndef MSHADOW_DOT_ENGINE_H_
#define MSHADOW_DOT_ENGINE_H_

#include "mshadow/detail/blas_engine.h"
#include "mshadow/expr/engine.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

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
template <typename Device, typename DType>
blas::Batch<DType> AsBatch(const Tensor<Device, 3, DType> &t) {
  return {{t.dptr_, t.shape_[1], t.shape_[2], t.stride_}, t.shape_[1] * t.stride_, t.shape_[0]};
}

template <typename T>
blas::Matrix<const T> Const(const blas::Matrix<T> &m) {
  return {m.dptr, m.rows, m.cols, m.stride};
}
template <typename T>
blas::Batch<const T> Const(const blas::Batch<T> &b) {
  return {Const(b.first), b.step, b.count};
}

/// Throws what CheckProduct says.
[[noreturn]] void ThrowProduct(Shape<2> dst, bool transpose_a, Shape<2> a, bool transpose_b,
                               Shape<2> b);

/// \throws Error unless op(a) (rows x inner) times op(b) (inner x cols) has dst's shape
inline void CheckProduct(const Shape<2> &dst, bool transpose_a, const Shape<2> &a, bool transpose_b,
                         const Shape<2> &b) {
  const bool fits =
      a[!transpose_a] == b[transpose_b] && dst[0] == a[transpose_a] && dst[1] == b[!transpose_b];
  if (!fits) ThrowProduct(dst, transpose_a, a, transpose_b, b);
}
[[noreturn]] void ThrowBatches(Shape<3> dst, Shape<3> a, Shape<3> b);
/// The same for each matrix of three batches. \throws Error also unless the batches are equally
/// long
inline void CheckBatchProduct(const Shape<3> &dst, bool transpose_a, const Shape<3> &a,
                              bool transpose_b, const Shape<3> &b) {
  if (dst[0] != a[0] || dst[0] != b[0]) ThrowBatches(dst, a, b);
  CheckProduct(Shape2(dst[1], dst[2]), transpose_a, Shape2(a[1], a[2]), transpose_b,
               Shape2(b[1], b[2]));
}

template <typename T>
void CheckOperands(const blas::Matrix<T> &dst, bool ta, const blas::Matrix<T> &a, bool tb,
                   const blas::Matrix<T> &b) {
  CheckProduct(Shape2(dst.rows, dst.cols), ta, Shape2(a.rows, a.cols), tb, Shape2(b.rows, b.cols));
}
template <typename T>
Shape<3> ShapeOf(const blas::Batch<T> &batch) {
  return Shape3(batch.count, batch.first.rows, batch.first.cols);
}
template <typename T>
void CheckOperands(const blas::Batch<T> &dst, bool ta, const blas::Batch<T> &a, bool tb,
                   const blas::Batch<T> &b) {
  CheckBatchProduct(ShapeOf(dst), ta, ShapeOf(a), tb, ShapeOf(b));
}

/// alpha and beta of a saver as values of type T. In an unsigned type, -1 is the greatest value.
template <typename T>
T Factor(float factor) {
  return static_cast<T>(static_cast<int>(factor));
}

/// dst = scale op(a) op(b) + beta dst, all of them matrices or all batches of matrices.
template <typename Saver, typename Device, typename DType, template <typename> class Operand>
void EvalProduct(Stream<Device> *stream, DType scale, bool ta, const Operand<DType> &a, bool tb,
                 const Operand<DType> &b, const Operand<DType> &dst) {
  CheckOperands(dst, ta, a, tb, b);
  BLASEngine<Device, DType>::Gemm(stream, ta, tb,
                                  op::mul::Map(scale, Factor<DType>(Saver::AlphaBLAS())), Const(a),
                                  Const(b), Factor<DType>(Saver::BetaBLAS()), dst);
}

}  // namespace detail

namespace detail {

/// An operand or the destination of a product, as a tensor: a tensor itself, or a slice of a tensor
/// whose matrices are evenly spaced (extension/slice.h).
template <typename E>
struct AsTensor {
  static constexpr bool kKnown = false;
  static constexpr bool kIsItself = false;
};
template <typename Device, int dim, typename DType>
struct AsTensor<Tensor<Device, dim, DType>> {
  static constexpr bool kKnown = true;
  static constexpr bool kIsItself = true;
  static const Tensor<Device, dim, DType> &Of(const Tensor<Device, dim, DType> &t) { return t; }
};

}  // namespace detail

/// A product with an operand or a destination that is not a tensor, but may be a slice of one.
template <typename Saver, typename RValue, typename TA, typename TB, bool ltrans, bool rtrans,
          typename DType>
struct ExpComplexEngine<Saver, RValue, DotExp<TA, TB, ltrans, rtrans, DType>, DType> {
  template <typename E>
  using AsTensor = detail::AsTensor<E>;
  /// For its element types: the compiler has said so.
  static constexpr bool kRefused =
      !std::is_same_v<detail::ElementType<TA>, detail::ElementType<TB>>;
  static constexpr bool kIsOfParts =
      AsTensor<RValue>::kKnown && AsTensor<TA>::kKnown && AsTensor<TB>::kKnown &&
      !(AsTensor<RValue>::kIsItself && AsTensor<TA>::kIsItself && AsTensor<TB>::kIsItself);

  static void Eval(RValue *dst, const DotExp<TA, TB, ltrans, rtrans, DType> &exp) {
    static_assert(kRefused || kIsOfParts,
                  "dot takes tensors and their .T(), also of slices of tensors along the first or "
                  "the last dimension, and is assigned to a tensor or to such a slice: assign a "
                  "concatenation or another expression to a tensor first");
    if constexpr (!kRefused && kIsOfParts) {
      auto to = AsTensor<RValue>::Of(*dst);
      const auto &lhs = AsTensor<TA>::Of(exp.lhs_);
      const auto &rhs = AsTensor<TB>::Of(exp.rhs_);
      using Product =
          DotExp<std::decay_t<decltype(lhs)>, std::decay_t<decltype(rhs)>, ltrans, rtrans, DType>;
      ExpComplexEngine<Saver, decltype(to), Product, DType>::Eval(&to,
                                                                  Product(lhs, rhs, exp.scale_));
    }
  }
};

template <typename Saver, typename Device, int ddim, int ldim, int rdim, bool ltrans, bool rtrans,
          typename DType>
struct ExpComplexEngine<
    Saver, Tensor<Device, ddim, DType>,
    DotExp<Tensor<Device, ldim, DType>, Tensor<Device, rdim, DType>, ltrans, rtrans, DType>,
    DType> {
  using Dst = Tensor<Device, ddim, DType>;
  using Product =
      DotExp<Tensor<Device, ldim, DType>, Tensor<Device, rdim, DType>, ltrans, rtrans, DType>;

  static constexpr bool Ranks(int d, int l, int r) { return ddim == d && ldim == l && rdim == r; }

  static void Eval(Dst *dst, const Product &exp) {
    using namespace detail;  // NOLINT: AsMatrix and its kin
    static_assert(kHasFactors<Saver>, "a product can be assigned with =, += and -= only");
    CheckAliasing(*dst, exp);
    const auto run = [&](const auto &a, bool ta, const auto &b, bool tb, const auto &d) {
      if constexpr (kHasFactors<Saver>) {
        EvalProduct<Saver>(dst->stream_, exp.scale_, ta, a, tb, b, d);
      }
    };
    if constexpr (Ranks(2, 2, 2)) {
      run(AsMatrix(exp.lhs_), ltrans, AsMatrix(exp.rhs_), rtrans, AsMatrix(*dst));
    } else if constexpr (Ranks(1, 1, 2) && !ltrans) {
      run(AsRow(exp.lhs_), false, AsMatrix(exp.rhs_), rtrans, AsRow(*dst));
    } else if constexpr (Ranks(1, 2, 1) && !rtrans) {
      run(AsMatrix(exp.lhs_), ltrans, AsColumn(exp.rhs_), false, AsColumn(*dst));
    } else if constexpr (Ranks(2, 1, 1) && ltrans && !rtrans) {
      run(AsColumn(exp.lhs_), false, AsRow(exp.rhs_), false, AsMatrix(*dst));
    } else if constexpr (Ranks(1, 1, 1) && !ltrans) {
      run(AsRow(exp.lhs_), false, AsColumn(exp.rhs_), false, AsRow(*dst));
    } else if constexpr (Ranks(3, 3, 3)) {
      run(AsBatch(exp.lhs_), ltrans, AsBatch(exp.rhs_), rtrans, AsBatch(*dst));
    } else {
      static_assert(::mshadow::detail::AlwaysFalse<Product>::value,
                    "dot has no product of these ranks: matrix x matrix, vector x matrix, matrix x "
                    "vector, vector.T() x vector into a matrix, vector x vector into one element, "
                    "or batch_dot of tensors of rank 3");
    }
  }
};

/// `dst saver scale * dot(lhs, rhs)`; template arguments say which operands are transposed. This is
/// the engine on which mshadow's products are built.
template <typename Saver, typename Device, int ddim, int ldim, int rdim, bool ltrans, bool rtrans,
          typename DType>
struct DotEngine {
  static void Eval(Tensor<Device, ddim, DType> *dst, const Tensor<Device, ldim, DType> &lhs,
                   const Tensor<Device, rdim, DType> &rhs, DType scale) {
    using Product =
        DotExp<Tensor<Device, ldim, DType>, Tensor<Device, rdim, DType>, ltrans, rtrans, DType>;
    ExpComplexEngine<Saver, Tensor<Device, ddim, DType>, Product, DType>::Eval(
        dst, Product(lhs, rhs, scale));
  }
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_DOT_ENGINE_H_
