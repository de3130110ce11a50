// SPDX-License-Identifier: Apache-2.0
/// \file function.h
/// Operators that are an elementary function. For each of these functions the runtime has a loop
/// for every instruction set. So an assignment runs the loop of the processor, even if the
/// assignment was not compiled for that processor. An operator of your own can use such a loop,
/// too:
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
#define MSHADOW_FUNCTION_OF_TWO(Operator, function, Name, bytes)
#include "mshadow/expr/functions.inc"
#undef MSHADOW_FUNCTION
#undef MSHADOW_FUNCTION_OF_TWO
};
/// The functions of two numbers.
enum class FunctionOfTwo {
#define MSHADOW_FUNCTION(Operator, function, Name, bytes)
#define MSHADOW_FUNCTION_OF_TWO(Operator, function, Name, bytes) k##Name,
#include "mshadow/expr/functions.inc"
#undef MSHADOW_FUNCTION
#undef MSHADOW_FUNCTION_OF_TWO
};
}  // namespace math
}  // namespace mshadow

#ifndef __MSHADOW_GEN__
#include "mshadow/expr/function_plan.h"  // whoever names a function evaluates it so
#endif

#endif  // MSHADOW_EXPR_FUNCTION_H_
