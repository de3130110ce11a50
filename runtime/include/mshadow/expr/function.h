// SPDX-License-Identifier: Apache-2.0
/// \file function.h
/// Operators that are an elementary function. The runtime has a loop over many elements for each,
/// for the instruction set of the processor at hand, so that an assignment need not be compiled for
/// that. An operator of your own says so, too:
///
///     struct sigmoid {
///       static constexpr auto kFunction = mshadow::math::Function::kSigmoid;
///       template <typename DType>
///       MSHADOW_XINLINE static DType Map(DType a) { return mshadow::math::sigmoid(a); }
///     };
#ifndef MSHADOW_EXPR_FUNCTION_H_
#define MSHADOW_EXPR_FUNCTION_H_

namespace mshadow {
namespace math {
/// The functions of one number, by the names of mshadow::math: kExp is exp.
enum class Function {
#define MSHADOW_FUNCTION(Operator, function, Name, bytes) k##Name,
#define MSHADOW_FUNCTION_NOT_OF_DOUBLE MSHADOW_FUNCTION
#define MSHADOW_FUNCTION_OF_TWO(Operator, function, Name, bytes)
#include "mshadow/expr/functions.inc"
#undef MSHADOW_FUNCTION
#undef MSHADOW_FUNCTION_NOT_OF_DOUBLE
#undef MSHADOW_FUNCTION_OF_TWO
};
/// Those of two.
enum class FunctionOfTwo {
#define MSHADOW_FUNCTION(Operator, function, Name, bytes)
#define MSHADOW_FUNCTION_NOT_OF_DOUBLE MSHADOW_FUNCTION
#define MSHADOW_FUNCTION_OF_TWO(Operator, function, Name, bytes) k##Name,
#include "mshadow/expr/functions.inc"
#undef MSHADOW_FUNCTION
#undef MSHADOW_FUNCTION_NOT_OF_DOUBLE
#undef MSHADOW_FUNCTION_OF_TWO
};
}  // namespace math
}  // namespace mshadow

#ifndef __MSHADOW_GEN__
#include "mshadow/expr/function_plan.h"  // whoever names a function evaluates it so
#endif

#endif  // MSHADOW_EXPR_FUNCTION_H_
