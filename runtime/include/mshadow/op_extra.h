// SPDX-License-Identifier: Apache-2.0
/// \file op_extra.h
/// Operators that mshadow leaves to its users. kernel.h brings them; tensor.h does not, so that
/// user code which defines an op::square of its own still compiles.
///
/// Comparisons give DType(1) or DType(0). maximum and minimum are the selects they are written as:
/// where a comparison with NaN is false, they give the first operand.
#ifndef MSHADOW_OP_EXTRA_H_
#define MSHADOW_OP_EXTRA_H_

#include "mshadow/functions.h"
#include "mshadow/op.h"
#include "mshadow/strict_push.h"

namespace mshadow {
namespace op {

/// One line of Map: NAME of `a`, which takes as long as reading WORK bytes (expr_operands.h).
#define MSHADOW_UNARY_OP(NAME, WORK, EXPRESSION) \
  struct NAME {                                  \
    static constexpr int kWork = WORK;           \
    template <typename DType>                    \
    MSHADOW_XINLINE static DType Map(DType a) {  \
      return static_cast<DType>(EXPRESSION);     \
    }                                            \
  };
/// NAME of `a` and `b`.
#define MSHADOW_BINARY_OP(NAME, WORK, EXPRESSION)        \
  struct NAME {                                          \
    static constexpr int kWork = WORK;                   \
    template <typename DType>                            \
    MSHADOW_XINLINE static DType Map(DType a, DType b) { \
      return static_cast<DType>(EXPRESSION);             \
    }                                                    \
  };

MSHADOW_UNARY_OP(square, 0, a *a)
MSHADOW_UNARY_OP(square_root, 64, math::sqrt(a))
MSHADOW_UNARY_OP(reciprocal, 0, DType(1) / a)
MSHADOW_UNARY_OP(reciprocal_square_root, 256, math::rsqrt(a))
MSHADOW_UNARY_OP(abs, 0, math::abs(a))
MSHADOW_UNARY_OP(sign, 0, a > DType(0) ? DType(1) : (a < DType(0) ? DType(-1) : DType(0)))
MSHADOW_UNARY_OP(exp, 128, math::exp(a))
MSHADOW_UNARY_OP(expm1, 256, math::expm1(a))
MSHADOW_UNARY_OP(log, 128, math::log(a))
MSHADOW_UNARY_OP(log1p, 256, math::log1p(a))
MSHADOW_UNARY_OP(exp2, 128, math::exp2(a))
MSHADOW_UNARY_OP(exp10, 128, math::exp10(a))
MSHADOW_UNARY_OP(log2, 128, math::log2(a))
MSHADOW_UNARY_OP(log10, 128, math::log10(a))
MSHADOW_UNARY_OP(sin, 256, math::sin(a))
MSHADOW_UNARY_OP(cos, 256, math::cos(a))
MSHADOW_UNARY_OP(tan, 256, math::tan(a))
MSHADOW_UNARY_OP(atan, 256, math::atan(a))
MSHADOW_UNARY_OP(asin, 256, math::asin(a))
MSHADOW_UNARY_OP(acos, 256, math::acos(a))
MSHADOW_UNARY_OP(sinh, 256, math::sinh(a))
MSHADOW_UNARY_OP(cosh, 256, math::cosh(a))
MSHADOW_UNARY_OP(asinh, 384, math::asinh(a))
MSHADOW_UNARY_OP(acosh, 384, math::acosh(a))
MSHADOW_UNARY_OP(atanh, 384, math::atanh(a))
MSHADOW_UNARY_OP(cbrt, 256, math::cbrt(a))
MSHADOW_UNARY_OP(softplus, 512, math::softplus(a))
MSHADOW_UNARY_OP(erfc, 512, math::erfc(a))
MSHADOW_UNARY_OP(tanh, 256, math::tanh(a))
MSHADOW_UNARY_OP(erf, 256, math::erf(a))
MSHADOW_UNARY_OP(sigmoid, 256, math::sigmoid(a))
MSHADOW_UNARY_OP(relu, 0, a < DType(0) ? DType(0) : a)

MSHADOW_BINARY_OP(power, 512, math::pow(a, b))
/// The angle of the point (b, a).
MSHADOW_BINARY_OP(atan2, 512, math::atan2(a, b))
MSHADOW_BINARY_OP(hypot, 256, math::hypot(a, b))
/// log(e^a + e^b).
MSHADOW_BINARY_OP(logaddexp, 512, math::logaddexp(a, b))
MSHADOW_BINARY_OP(maximum, 0, a < b ? b : a)
MSHADOW_BINARY_OP(minimum, 0, b < a ? b : a)
/// `a` limited to [-b, b].
MSHADOW_BINARY_OP(clip, 0, a > b ? b : (a < -b ? -b : a))
MSHADOW_BINARY_OP(eq, 0, a == b ? DType(1) : DType(0))
MSHADOW_BINARY_OP(ne, 0, a != b ? DType(1) : DType(0))
MSHADOW_BINARY_OP(lt, 0, a < b ? DType(1) : DType(0))
MSHADOW_BINARY_OP(le, 0, a <= b ? DType(1) : DType(0))
MSHADOW_BINARY_OP(gt, 0, a > b ? DType(1) : DType(0))
MSHADOW_BINARY_OP(ge, 0, a >= b ? DType(1) : DType(0))

#undef MSHADOW_UNARY_OP
#undef MSHADOW_BINARY_OP

/// `a` where the condition is not zero, else `b`.
struct where {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType condition, DType a, DType b) {
    return condition != DType(0) ? a : b;
  }
};

}  // namespace op
}  // namespace mshadow

#include "mshadow/strict_pop.h"

#endif  // MSHADOW_OP_EXTRA_H_
