// SPDX-License-Identifier: Apache-2.0
/// \file complex.h
/// Complex numbers as pairs of neighbours in the last dimension, real part first: products,
/// quotients, conjugates and conversions. A name's letters say which operands are complex (c) and
/// which real (r).
#ifndef MSHADOW_EXTENSION_COMPLEX_H_
#define MSHADOW_EXTENSION_COMPLEX_H_

#include "mshadow/expr/engine.h"
#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/errors.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace op {
namespace complex {

enum BinaryCalculationType { kBinaryCC, kBinaryCR, kBinaryRC };
enum UnitaryCalculationType { kUnitaryR2C, kUnitaryC2C, kUnitaryC2R };

// Operators on parts: of floats what no compiler contracts; integers are promoted as in C++.
#define MSHADOW_PART_OPERATOR(Name, Function, op)                                          \
  template <typename T>                                                                    \
  MSHADOW_XINLINE auto Name(T a, T b) {                                                    \
    if constexpr (mshadow::detail::ClassOf<T>() == mshadow::detail::ScalarClass::kFloat) { \
      return mshadow::detail::Function(a, b);                                              \
    } else {                                                                               \
      return a op b;                                                                       \
    }                                                                                      \
  }
MSHADOW_PART_OPERATOR(Plus, Add, +)
MSHADOW_PART_OPERATOR(Minus, Sub, -)
MSHADOW_PART_OPERATOR(Times, Mul, *)
MSHADOW_PART_OPERATOR(Over, Quotient, /)
#undef MSHADOW_PART_OPERATOR

// An operator on two complex numbers gives the real and the imaginary part of its result from the
// parts of both.
struct mul {
  template <typename DType>
  MSHADOW_XINLINE static DType RealMap(DType a_real, DType a_imag, DType b_real, DType b_imag) {
    return DType(Minus(Times(a_real, b_real), Times(a_imag, b_imag)));
  }
  template <typename DType>
  MSHADOW_XINLINE static DType ImagMap(DType a_real, DType a_imag, DType b_real, DType b_imag) {
    return DType(Plus(Times(a_real, b_imag), Times(b_real, a_imag)));
  }
};
struct div {
  template <typename DType>
  MSHADOW_XINLINE static DType RealMap(DType a_real, DType a_imag, DType b_real, DType b_imag) {
    return DType(Over(Plus(Times(a_real, b_real), Times(a_imag, b_imag)),
                      Plus(Times(b_real, b_real), Times(b_imag, b_imag))));
  }
  template <typename DType>
  MSHADOW_XINLINE static DType ImagMap(DType a_real, DType a_imag, DType b_real, DType b_imag) {
    return DType(Over(Minus(Times(b_real, a_imag), Times(a_real, b_imag)),
                      Plus(Times(b_real, b_real), Times(b_imag, b_imag))));
  }
};

// An operator on one complex number is given the source's Plan and the places of both parts; one on
// a real number, the place of that.
struct conjugate {
  static constexpr bool kInPlace = true;  ///< each part depends on itself alone
  template <typename TA, typename DType>
  MSHADOW_XINLINE static DType RealMap(const expr::Plan<TA, DType> &src, index_t real_i,
                                       index_t real_j, index_t, index_t) {
    return src.Eval(real_i, real_j);
  }
  template <typename TA, typename DType>
  MSHADOW_XINLINE static DType ImagMap(const expr::Plan<TA, DType> &src, index_t, index_t,
                                       index_t imag_i, index_t imag_j) {
    return expr::builtin::negate::Map(src.Eval(imag_i, imag_j));
  }
};
struct exchange {
  template <typename TA, typename DType>
  MSHADOW_XINLINE static DType RealMap(const expr::Plan<TA, DType> &src, index_t, index_t,
                                       index_t imag_i, index_t imag_j) {
    return src.Eval(imag_i, imag_j);
  }
  template <typename TA, typename DType>
  MSHADOW_XINLINE static DType ImagMap(const expr::Plan<TA, DType> &src, index_t real_i,
                                       index_t real_j, index_t, index_t) {
    return src.Eval(real_i, real_j);
  }
};
struct pad_imag {
  template <typename TA, typename DType>
  MSHADOW_XINLINE static DType RealMap(const expr::Plan<TA, DType> &src, index_t real_i,
                                       index_t real_j) {
    return src.Eval(real_i, real_j);
  }
  template <typename TA, typename DType>
  MSHADOW_XINLINE static DType ImagMap(const expr::Plan<TA, DType> &, index_t, index_t) {
    return DType(0);
  }
};
struct toreal {
  template <typename TA, typename DType>
  MSHADOW_XINLINE static DType RealMap(const expr::Plan<TA, DType> &src, index_t real_i,
                                       index_t real_j, index_t, index_t) {
    return src.Eval(real_i, real_j);
  }
};
struct abs_square {
  template <typename TA, typename DType>
  MSHADOW_XINLINE static DType RealMap(const expr::Plan<TA, DType> &src, index_t real_i,
                                       index_t real_j, index_t imag_i, index_t imag_j) {
    const DType real = src.Eval(real_i, real_j);
    const DType imag = src.Eval(imag_i, imag_j);
    return DType(Plus(Times(real, real), Times(imag, imag)));
  }
};
struct sum_real_imag {
  template <typename TA, typename DType>
  MSHADOW_XINLINE static DType RealMap(const expr::Plan<TA, DType> &src, index_t real_i,
                                       index_t real_j, index_t imag_i, index_t imag_j) {
    return DType(Plus(src.Eval(real_i, real_j), src.Eval(imag_i, imag_j)));
  }
};

}  // namespace complex
}  // namespace op

namespace expr {
MSHADOW_VERSION_BEGIN

/// OP of two operands, of which calctype says which are complex.
template <int calctype, typename OP, typename TA, typename TB, typename DType, int etype>
struct ComplexBinaryMapExp
    : Exp<ComplexBinaryMapExp<calctype, OP, TA, TB, DType, etype>, DType, etype> {
  static constexpr bool kComplexLeft = calctype != ::mshadow::op::complex::kBinaryRC;
  static constexpr bool kComplexRight = calctype != ::mshadow::op::complex::kBinaryCR;
  TA lhs_;
  TB rhs_;
  ComplexBinaryMapExp(const TA &lhs, const TB &rhs) : lhs_(lhs), rhs_(rhs) {}
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(lhs_, true);  // both parts of a number need both
    f(rhs_, true);
  }
};

namespace detail {
/// Whether OP on one complex number may write over its operand.
template <typename OP, typename = void>
constexpr bool kInPlace = false;
template <typename OP>
constexpr bool kInPlace<OP, std::enable_if_t<OP::kInPlace>> = true;

/// \throws Error unless the last of the extents is even
template <int dim>
void CheckPairs(const char *what, const Shape<dim> &shape) {
  if (shape[dim - 1] % 2 == 0) return;
  ::mshadow::detail::ThrowError(std::string(what) + ": the last dimension of shape " +
                                ::mshadow::detail::ShapeText(shape.shape_, dim) +
                                " is odd, but holds pairs (real part, imaginary part)");
}
}  // namespace detail

/// OP of one operand.
template <int calctype, typename OP, typename TA, typename DType, int etype>
struct ComplexUnitaryExp : Exp<ComplexUnitaryExp<calctype, OP, TA, DType, etype>, DType, etype> {
  TA src_;
  explicit ComplexUnitaryExp(const TA &src) : src_(src) {}
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, !detail::kInPlace<OP>);
  }
};

template <int calctype, typename OP, typename TA, typename TB, typename DType, int etype>
struct ExpInfo<ComplexBinaryMapExp<calctype, OP, TA, TB, DType, etype>>
    : detail::DevicesOf<TA, TB> {
  static constexpr int kDim = detail::JoinDim(ExpInfo<TA>::kDim, ExpInfo<TB>::kDim);
};
template <int calctype, typename OP, typename TA, typename DType, int etype>
struct ExpInfo<ComplexUnitaryExp<calctype, OP, TA, DType, etype>> : ExpInfo<TA> {};

template <int dim, int calctype, typename OP, typename TA, typename TB, typename DType, int etype>
struct ShapeCheck<dim, ComplexBinaryMapExp<calctype, OP, TA, TB, DType, etype>> {
  using Node = ComplexBinaryMapExp<calctype, OP, TA, TB, DType, etype>;
  static Shape<dim> Check(const Node &exp) {
    Shape<dim> a = ShapeCheck<dim, TA>::Check(exp.lhs_);
    Shape<dim> b = ShapeCheck<dim, TB>::Check(exp.rhs_);
    if (!Node::kComplexLeft) a[dim - 1] *= 2;
    if (!Node::kComplexRight) b[dim - 1] *= 2;
    if (a != b) {
      ::mshadow::detail::ThrowShapes(
          "operands of a complex operator, with two elements for a number", a.shape_, dim, b.shape_,
          dim);
    }
    detail::CheckPairs("operands of a complex operator", a);
    return a;
  }
};
template <int dim, int calctype, typename OP, typename TA, typename DType, int etype>
struct ShapeCheck<dim, ComplexUnitaryExp<calctype, OP, TA, DType, etype>> {
  static Shape<dim> Check(const ComplexUnitaryExp<calctype, OP, TA, DType, etype> &exp) {
    Shape<dim> shape = ShapeCheck<dim, TA>::Check(exp.src_);
    if (calctype == ::mshadow::op::complex::kUnitaryR2C) {
      shape[dim - 1] *= 2;
    } else {
      detail::CheckPairs("operand of a complex operator", shape);
      if (calctype == ::mshadow::op::complex::kUnitaryC2R) shape[dim - 1] /= 2;
    }
    return shape;
  }
};

template <int calctype, typename OP, typename TA, typename TB, typename DType, int etype>
class Plan<ComplexBinaryMapExp<calctype, OP, TA, TB, DType, etype>, DType> {
 public:
  using Node = ComplexBinaryMapExp<calctype, OP, TA, TB, DType, etype>;
  explicit Plan(const Node &exp) : lhs_(MakePlan(exp.lhs_)), rhs_(MakePlan(exp.rhs_)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    const index_t n = x >> 1;
    const DType a_real = Real<Node::kComplexLeft>(lhs_, y, n);
    const DType a_imag = Imag<Node::kComplexLeft>(lhs_, y, n);
    const DType b_real = Real<Node::kComplexRight>(rhs_, y, n);
    const DType b_imag = Imag<Node::kComplexRight>(rhs_, y, n);
    return (x & 1) == 0 ? OP::RealMap(a_real, a_imag, b_real, b_imag)
                        : OP::ImagMap(a_real, a_imag, b_real, b_imag);
  }

  /// Both parts of a number from one read of its operands.
  static constexpr bool kRuns = true;
  void EvalRun(index_t y, index_t x, int n, DType *out) const {
    if (((x | n) & 1) != 0) {
      for (int i = 0; i < n; ++i) out[i] = Eval(y, x + i);
      return;
    }
    constexpr int kA = Node::kComplexLeft ? 2 : 1, kB = Node::kComplexRight ? 2 : 1;
    const int count = n / 2;
    const detail::Run<Plan<TA, DType>, DType> a(lhs_, y, x / 2 * kA, count * kA);
    const detail::Run<Plan<TB, DType>, DType> b(rhs_, y, x / 2 * kB, count * kB);
    for (int i = 0; i < count; ++i) {
      const DType a_real = a[kA * i], a_imag = Node::kComplexLeft ? DType(a[kA * i + 1]) : DType(0);
      const DType b_real = b[kB * i],
                  b_imag = Node::kComplexRight ? DType(b[kB * i + 1]) : DType(0);
      out[2 * i] = OP::RealMap(a_real, a_imag, b_real, b_imag);
      out[2 * i + 1] = OP::ImagMap(a_real, a_imag, b_real, b_imag);
    }
  }

 private:
  template <bool kComplex, typename P>
  MSHADOW_XINLINE static DType Real(const P &plan, index_t y, index_t n) {
    return plan.Eval(y, kComplex ? 2 * n : n);
  }
  template <bool kComplex, typename P>
  MSHADOW_XINLINE static DType Imag(const P &plan, index_t y, index_t n) {
    return kComplex ? DType(plan.Eval(y, 2 * n + 1)) : DType(0);
  }

  Plan<TA, DType> lhs_;
  Plan<TB, DType> rhs_;
};

template <int calctype, typename OP, typename TA, typename DType, int etype>
class Plan<ComplexUnitaryExp<calctype, OP, TA, DType, etype>, DType> {
 public:
  explicit Plan(const ComplexUnitaryExp<calctype, OP, TA, DType, etype> &exp)
      : src_(MakePlan(exp.src_)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    if constexpr (calctype == ::mshadow::op::complex::kUnitaryC2R) {
      return OP::RealMap(src_, y, 2 * x, y, 2 * x + 1);
    } else if constexpr (calctype == ::mshadow::op::complex::kUnitaryR2C) {
      return (x & 1) == 0 ? OP::RealMap(src_, y, x >> 1) : OP::ImagMap(src_, y, x >> 1);
    } else {
      const index_t real = x & ~index_t{1};
      return (x & 1) == 0 ? OP::RealMap(src_, y, real, y, real + 1)
                          : OP::ImagMap(src_, y, real, y, real + 1);
    }
  }

  static constexpr bool kRuns = calctype == ::mshadow::op::complex::kUnitaryC2C;
  void EvalRun(index_t y, index_t x, int n, DType *out) const {
    if (((x | n) & 1) != 0) {
      for (int i = 0; i < n; ++i) out[i] = Eval(y, x + i);
      return;
    }
    for (int i = 0; i < n; i += 2) {
      out[i] = OP::RealMap(src_, y, x + i, y, x + i + 1);
      out[i + 1] = OP::ImagMap(src_, y, x + i, y, x + i + 1);
    }
  }

 private:
  Plan<TA, DType> src_;
};

/// OP, a struct with RealMap and ImagMap as in op::complex, over two expressions.
template <int calctype, typename OP, typename TA, typename TB, typename DType, int ta, int tb>
ComplexBinaryMapExp<calctype, OP, TA, TB, DType, (ta | tb | type::kMapper)> ComplexF(
    const Exp<TA, DType, ta> &lhs, const Exp<TB, DType, tb> &rhs) {
  static_assert(detail::CheckSource<TA, ta>() && detail::CheckSource<TB, tb>());
  return ComplexBinaryMapExp<calctype, OP, TA, TB, DType, (ta | tb | type::kMapper)>(lhs.self(),
                                                                                     rhs.self());
}
/// OP over one.
template <int calctype, typename OP, typename TA, typename DType, int ta>
ComplexUnitaryExp<calctype, OP, TA, DType, (ta | type::kMapper)> ComplexF(
    const Exp<TA, DType, ta> &src) {
  static_assert(detail::CheckSource<TA, ta>());
  return ComplexUnitaryExp<calctype, OP, TA, DType, (ta | type::kMapper)>(src.self());
}

#define MSHADOW_COMPLEX_BINARY(name, calctype, OP)                                                 \
  template <typename TA, typename TB, typename DType, int ta, int tb>                              \
  ComplexBinaryMapExp<::mshadow::op::complex::calctype, ::mshadow::op::complex::OP, TA, TB, DType, \
                      (ta | tb | type::kMapper)>                                                   \
  name(const Exp<TA, DType, ta> &lhs, const Exp<TB, DType, tb> &rhs) {                             \
    return ComplexF<::mshadow::op::complex::calctype, ::mshadow::op::complex::OP>(lhs, rhs);       \
  }
MSHADOW_COMPLEX_BINARY(complex_mul_cc, kBinaryCC, mul)
MSHADOW_COMPLEX_BINARY(complex_mul_cr, kBinaryCR, mul)
MSHADOW_COMPLEX_BINARY(complex_mul_rc, kBinaryRC, mul)
MSHADOW_COMPLEX_BINARY(complex_div_cc, kBinaryCC, div)
MSHADOW_COMPLEX_BINARY(complex_div_cr, kBinaryCR, div)
MSHADOW_COMPLEX_BINARY(complex_div_rc, kBinaryRC, div)
#undef MSHADOW_COMPLEX_BINARY

#define MSHADOW_COMPLEX_UNARY(name, calctype, OP)                                            \
  template <typename TA, typename DType, int ta>                                             \
  ComplexUnitaryExp<::mshadow::op::complex::calctype, ::mshadow::op::complex::OP, TA, DType, \
                    (ta | type::kMapper)>                                                    \
  name(const Exp<TA, DType, ta> &src) {                                                      \
    return ComplexF<::mshadow::op::complex::calctype, ::mshadow::op::complex::OP>(src);      \
  }
/// Complex conjugates.
MSHADOW_COMPLEX_UNARY(conj, kUnitaryC2C, conjugate)
/// Real and imaginary part exchanged.
MSHADOW_COMPLEX_UNARY(complex_exchange, kUnitaryC2C, exchange)
/// Real numbers as complex ones: twice as many elements.
MSHADOW_COMPLEX_UNARY(complex_pad_imag, kUnitaryR2C, pad_imag)
/// Real parts: half as many elements, as of the two that follow.
MSHADOW_COMPLEX_UNARY(complex_toreal, kUnitaryC2R, toreal)
/// Squares of absolute values.
MSHADOW_COMPLEX_UNARY(complex_abs_square, kUnitaryC2R, abs_square)
/// Sums of real and imaginary part.
MSHADOW_COMPLEX_UNARY(complex_sum_real_imag, kUnitaryC2R, sum_real_imag)
#undef MSHADOW_COMPLEX_UNARY

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_COMPLEX_H_
