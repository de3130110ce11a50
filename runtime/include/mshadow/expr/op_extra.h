// SPDX-License-Identifier: Apache-2.0
/// \file op_extra.h
/// Operators that mshadow leaves to its users. kernel.h includes this header; tensor.h does not, so
/// that user code which defines its own op::square still compiles.
///
/// Comparisons return DType(1) or DType(0). maximum and minimum are the selects that their Map
/// shows: if a comparison with NaN is false, they return the first operand.
#ifndef MSHADOW_OP_EXTRA_H_
#define MSHADOW_OP_EXTRA_H_

#include "mshadow/expr/function.h"
#include "mshadow/expr/op.h"
#include "mshadow/functions.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace op {

/// One line of Map: NAME of `a`, which takes as long as reading WORK bytes (expr/operands.h).
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
MSHADOW_UNARY_OP(abs, 0, math::abs(a))
MSHADOW_UNARY_OP(floor, 8, math::floor(a))
MSHADOW_UNARY_OP(ceil, 8, math::ceil(a))
MSHADOW_UNARY_OP(trunc, 8, math::trunc(a))
MSHADOW_UNARY_OP(round, 8, math::round(a))
MSHADOW_UNARY_OP(rint, 8, math::rint(a))
MSHADOW_UNARY_OP(sign, 0, a > DType(0) ? DType(1) : (a < DType(0) ? DType(-1) : DType(0)))
#define MSHADOW_FUNCTION(Operator, function, Name, bytes)                \
  struct Operator {                                                      \
    static constexpr int kWork = bytes;                                  \
    static constexpr math::Function kFunction = math::Function::k##Name; \
    template <typename DType>                                            \
    MSHADOW_XINLINE static DType Map(DType a) {                          \
      return static_cast<DType>(math::function(a));                      \
    }                                                                    \
  };
#define MSHADOW_FUNCTION_OF_TWO(Operator, function, Name, bytes)                   \
  struct Operator {                                                                \
    static constexpr int kWork = bytes;                                            \
    static constexpr math::FunctionOfTwo kFunction = math::FunctionOfTwo::k##Name; \
    template <typename DType>                                                      \
    MSHADOW_XINLINE static DType Map(DType a, DType b) {                           \
      return static_cast<DType>(math::function(a, b));                             \
    }                                                                              \
  };
#include "mshadow/expr/functions.inc"
#undef MSHADOW_FUNCTION
#undef MSHADOW_FUNCTION_OF_TWO
MSHADOW_UNARY_OP(relu, 0, a < DType(0) ? DType(0) : a)

MSHADOW_BINARY_OP(maximum, 0, a < b ? b : a)
MSHADOW_BINARY_OP(minimum, 0, b < a ? b : a)
MSHADOW_BINARY_OP(fmod, 64, math::fmod(a, b))
MSHADOW_BINARY_OP(fmax, 0, math::fmax(a, b))
MSHADOW_BINARY_OP(fmin, 0, math::fmin(a, b))
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

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_OP_EXTRA_H_
