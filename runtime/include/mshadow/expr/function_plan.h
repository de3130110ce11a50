// SPDX-License-Identifier: Apache-2.0
/// \file function_plan.h
/// The Plans of operators that are elementary functions. They use the runtime's loops over many
/// elements.
#ifndef MSHADOW_EXPR_FUNCTION_PLAN_H_
#define MSHADOW_EXPR_FUNCTION_PLAN_H_

#include <cstdint>

#include "mshadow/expr/formula_plan.h"
#include "mshadow/expr/function.h"
#include "mshadow/expr/plan.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Sets out[i] = function(in[i]) for i < n, with the bits of mshadow::math; \p out may be \p in.
/// Defined for float, double, half_t and bf16_t, on the CPU.
template <typename T>
void MapFunction(math::Function function, const T *in, int64_t n, T *out);
/// Sets out[i] = function(a[i], b[i]) likewise; \p out may be \p a or \p b.
template <typename T>
void MapFunction(math::FunctionOfTwo function, const T *a, const T *b, int64_t n, T *out);

/// OP with the functions that PlanOfFormula needs of a Formula.
template <typename OP, typename DType>
struct FunctionFormula {
  template <typename... T>
  MSHADOW_XINLINE DType Eval(const T &...elements) const {
    return OP::Map(DType(elements)...);
  }
  template <typename... T>
  void EvalRun(index_t n, DType *out, const T *...operands) const {
    MapFunction(OP::kFunction, operands..., static_cast<int64_t>(n), out);
  }
};

/// The Plan of operator OP on operands E.
template <typename OP, typename DType, typename... E>
class PlanOfFunction : public PlanOfFormula<FunctionFormula<OP, DType>, DType, E...> {
 public:
  explicit PlanOfFunction(const E &...operands)
      : PlanOfFormula<FunctionFormula<OP, DType>, DType, E...>({}, operands...) {}
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXPR_FUNCTION_PLAN_H_
