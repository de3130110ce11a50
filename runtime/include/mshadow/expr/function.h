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

#include <cstdint>
#include <type_traits>

#include "mshadow/bfloat.h"
#include "mshadow/half.h"

#include "mshadow/detail/strict_push.h"

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
/// Those of two.
enum class FunctionOfTwo {
#define MSHADOW_FUNCTION(Operator, function, Name, bytes)
#define MSHADOW_FUNCTION_OF_TWO(Operator, function, Name, bytes) k##Name,
#include "mshadow/expr/functions.inc"
#undef MSHADOW_FUNCTION
#undef MSHADOW_FUNCTION_OF_TWO
};
}  // namespace math

namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// out[i] = function(in[i]) for i < n, the bits that mshadow::math gives; \p out may be \p in.
/// Defined for float, double, half_t and bf16_t, on the CPU.
template <typename T>
void MapFunction(math::Function function, const T *in, int64_t n, T *out);
/// out[i] = function(a[i], b[i]) likewise; \p out may be \p a or \p b.
template <typename T>
void MapFunction(math::FunctionOfTwo function, const T *a, const T *b, int64_t n, T *out);

/// Whether OP is a function that has a loop over elements of type T.
template <typename OP, typename T, typename = void>
constexpr bool kIsFunction = false;
template <typename OP, typename T>
constexpr bool kIsFunction<OP, T, std::void_t<decltype(OP::kFunction)>> =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, half::half_t> ||
    std::is_same_v<T, bfloat::bf16_t>;

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXPR_FUNCTION_H_
