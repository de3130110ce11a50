// SPDX-License-Identifier: Apache-2.0
/// \file function_plan.h
/// The Plans of operators that are an elementary function: by the runtime's loops over many
/// elements.
#ifndef MSHADOW_EXPR_FUNCTION_PLAN_H_
#define MSHADOW_EXPR_FUNCTION_PLAN_H_

#include <cstdint>

#include "mshadow/expr/function.h"
#include "mshadow/expr/plan.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
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

/// Operands that are no tensors are put into memory first, which so few elements are not worth.
inline constexpr index_t kFewElements = 8;

/// A function evaluates runs by the runtime's loop.
template <typename OP, typename DType, typename TA>
class PlanOfFunction<OP, DType, TA> {
  using Source = Plan<TA, DType>;
  static constexpr bool kInMemory = kIsPlanOfTensor<Source>;

 public:
  MSHADOW_CINLINE explicit PlanOfFunction(const TA &src) : src_(MakePlan(src)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const { return OP::Map(DType(src_.Eval(y, x))); }

  static constexpr bool kRuns = true;
  static constexpr bool kUniform = kIsUniform<Source>;
  static constexpr bool kRunsInPlace = true;
  static constexpr index_t kLongestRun = kInMemory ? index_t{1} << 30 : kMaxRun;
  void EvalRun(index_t y, index_t x, index_t n, DType *out) const {
    if (!kInMemory && n < kFewElements) {
      for (index_t i = 0; i < n; ++i) out[i] = Eval(y, x + i);
      return;
    }
    alignas(64) DType elements[kInMemory ? 1 : kMaxRun];
    MapFunction(OP::kFunction, FindElements(src_, y, x, static_cast<int>(n), elements),
                static_cast<int64_t>(n), out);
  }
  index_t RowPeriod() const { return RowPeriodOf(src_); }

 private:
  Source src_;
};

template <typename OP, typename DType, typename TA, typename TB>
class PlanOfFunction<OP, DType, TA, TB> {
  using Lhs = Plan<TA, DType>;
  using Rhs = Plan<TB, DType>;
  static constexpr bool kInMemory = kIsPlanOfTensor<Lhs> && kIsPlanOfTensor<Rhs>;

 public:
  MSHADOW_CINLINE PlanOfFunction(const TA &lhs, const TB &rhs)
      : lhs_(MakePlan(lhs)), rhs_(MakePlan(rhs)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    return OP::Map(DType(lhs_.Eval(y, x)), DType(rhs_.Eval(y, x)));
  }

  static constexpr bool kRuns = true;
  static constexpr bool kUniform = kIsUniform<Lhs> && kIsUniform<Rhs>;
  static constexpr bool kRunsInPlace = true;
  static constexpr index_t kLongestRun = kInMemory ? index_t{1} << 30 : kMaxRun;
  void EvalRun(index_t y, index_t x, index_t count, DType *out) const {
    if (!kInMemory && count < kFewElements) {
      for (index_t i = 0; i < count; ++i) out[i] = Eval(y, x + i);
      return;
    }
    const int n = static_cast<int>(count);
    alignas(64) DType lhs[kIsPlanOfTensor<Lhs> ? 1 : kMaxRun];
    alignas(64) DType rhs[kIsPlanOfTensor<Rhs> ? 1 : kMaxRun];
    MapFunction(OP::kFunction, FindElements(lhs_, y, x, n, lhs), FindElements(rhs_, y, x, n, rhs),
                static_cast<int64_t>(count), out);
  }
  index_t RowPeriod() const { return RowPeriodOf(lhs_, rhs_); }

 private:
  Lhs lhs_;
  Rhs rhs_;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXPR_FUNCTION_PLAN_H_
