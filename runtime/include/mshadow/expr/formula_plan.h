// SPDX-License-Identifier: Apache-2.0
/// \file formula_plan.h
/// The Plan of a function that is computed for many elements together: an elementary function
/// (function.h), or an expression that mshadow-gen compiled (formula_exp.h).
#ifndef MSHADOW_EXPR_FORMULA_PLAN_H_
#define MSHADOW_EXPR_FORMULA_PLAN_H_

#include <utility>

#include "mshadow/expr/engine.h"
#include "mshadow/expr/run.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// A tuple: values of different types, by position. (Device code cannot read a std::tuple.)
template <int i, typename T>
struct PackedValue {
  T value;
};
template <typename Numbers, typename... T>
struct PackOf;
template <int... i, typename... T>
struct PackOf<std::integer_sequence<int, i...>, T...> : PackedValue<i, T>... {
  explicit PackOf(const T &...values) : PackedValue<i, T>{values}... {}
  using Numbers = std::integer_sequence<int, i...>;
};
template <typename... T>
using Pack = PackOf<std::make_integer_sequence<int, sizeof...(T)>, T...>;
template <int i, typename T>
MSHADOW_XINLINE const T &Get(const PackedValue<i, T> &packed) {
  return packed.value;
}

/// A run of an operand's elements, contiguous in memory. A run of a tensor is read in place; a run
/// of any other operand is evaluated into a buffer.
template <typename P, typename DType, bool kInPlace = kIsPlanOfTensor<P>>
class RunInMemory {
 public:
  RunInMemory(const P &plan, index_t y, index_t x, index_t n)
      : at_(FindElements(plan, y, x, static_cast<int>(n), elements_)) {}
  const DType *data() const { return at_; }

 private:
  alignas(64) DType elements_[kMaxRun];
  const DType *at_;
};
template <typename P, typename DType>
class RunInMemory<P, DType, true> {
 public:
  RunInMemory(const P &plan, index_t y, index_t x, index_t) : at_(&plan.Eval(y, x)) {}
  const DType *data() const { return at_; }

 private:
  const DType *at_;
};

/// Applies Formula to the elements of operands E.
/// \tparam Formula Eval(e...) computes an element from one element of each operand, on any device;
///     EvalRun(n, result, e *...) computes n elements on the CPU; `result` may be one of the
///     operands
template <typename Formula, typename DType, typename... E>
class PlanOfFormula {
  template <typename Operand>
  using PlanOf = Plan<Operand, ElementType<Operand>>;
  using Numbers = typename Pack<E...>::Numbers;
  static constexpr bool kInMemory = (kIsPlanOfTensor<PlanOf<E>> && ...);
  /// Unless all operands are tensors, shorter runs are evaluated one element at a time: to evaluate
  /// the operands into buffers would take longer.
  static constexpr index_t kFewElements = 8;

 public:
  explicit PlanOfFormula(const Formula &formula, const E &...operands)
      : formula_(formula), operands_(MakePlan(operands)...) {}

  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const { return EvalAt(y, x, Numbers()); }

  /// The interface of runs (run.h).
  static constexpr bool kRuns = true;
  static constexpr bool kUniform = (kIsUniform<PlanOf<E>> && ...);
  static constexpr bool kRunsInPlace = true;
  static constexpr index_t kLongestRun = kInMemory ? index_t{1} << 30 : kMaxRun;
  void EvalRun(index_t y, index_t x, index_t n, DType *out) const {
    if (kInMemory || n >= kFewElements) return EvalRunAt(y, x, n, out, Numbers());
    for (index_t i = 0; i < n; ++i) out[i] = Eval(y, x + i);
  }
  index_t RowPeriod() const { return RowPeriodAt(Numbers()); }

 private:
  template <int... i>
  MSHADOW_XINLINE DType EvalAt(index_t y, index_t x, std::integer_sequence<int, i...>) const {
    return formula_.Eval(Get<i>(operands_).Eval(y, x)...);
  }
  template <int... i>
  void EvalRunAt(index_t y, index_t x, index_t n, DType *out,
                 std::integer_sequence<int, i...>) const {
    formula_.EvalRun(n, out,
                     RunInMemory<PlanOf<E>, ElementType<E>>(Get<i>(operands_), y, x, n).data()...);
  }
  template <int... i>
  index_t RowPeriodAt(std::integer_sequence<int, i...>) const {
    return RowPeriodOf(Get<i>(operands_)...);
  }

  Formula formula_;
  Pack<PlanOf<E>...> operands_;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXPR_FORMULA_PLAN_H_
