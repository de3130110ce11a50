// SPDX-License-Identifier: Apache-2.0
/// \file formula_exp.h
/// The node of an expression that mshadow-gen compiled, MSHADOW_EXPRESSION in a spec: a formula of
/// the elements of its operands, which are expressions themselves. Emitted headers include this.
#ifndef MSHADOW_FORMULA_EXP_H_
#define MSHADOW_FORMULA_EXP_H_

#include <utility>

#include "mshadow/expr/engine.h"
#include "mshadow/expr/run.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Values of different types, each by its number. (Not std::tuple, which device code cannot read.)
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

/// A run of an operand as elements that are neighbours in memory: its own if it is a tensor.
template <typename P, typename DType, bool kInPlace = kIsPlanOfTensor<P>>
class RunInMemory {
 public:
  RunInMemory(const P &plan, index_t y, index_t x, index_t n) {
    const Run<P, DType> run(plan, y, x, static_cast<int>(n));
    for (index_t i = 0; i < n; ++i) elements_[i] = run[static_cast<int>(i)];
  }
  const DType *data() const { return elements_; }

 private:
  alignas(64) DType elements_[kMaxRun];
};
template <typename P, typename DType>
class RunInMemory<P, DType, true> {
 public:
  RunInMemory(const P &plan, index_t y, index_t x, index_t) : at_(&plan.Eval(y, x)) {}
  const DType *data() const { return at_; }

 private:
  const DType *at_;
};

}  // namespace detail

/// Formula of each element of operands E.
/// \tparam Formula a Plan that mshadow-gen emitted, for its scalars. Eval(e...) is the element of
///     one element of each operand, on any device; EvalRun(n, result, e *...) writes n, on the CPU.
/// \tparam kind what the operands' kinds make it
template <typename Formula, typename DType, int kind, typename... E>
struct FormulaExp : Exp<FormulaExp<Formula, DType, kind, E...>, DType, kind> {
  Formula formula_;
  detail::Pack<E...> operands_;
  FormulaExp(const Formula &formula, const E &...operands)
      : formula_(formula), operands_(operands...) {}

  /// Calls f(operand) for each.
  template <typename Function>
  void ForEach(Function &&f) const {
    CallForEach(f, typename detail::Pack<E...>::Numbers());
  }

 private:
  template <typename Function, int... i>
  void CallForEach(Function &f, std::integer_sequence<int, i...>) const {
    (f(detail::Get<i>(operands_)), ...);
  }
};

/// All elements of an emitted Plan by its loop, on the calling thread.
template <typename Formula>
MSHADOW_CINLINE void CallLoop(void (*loop)(const void *, index_t, index_t), const Formula &plan) {
  loop(&plan, 0, plan.rows * plan.cols);
}

/// What the emitted function returns.
template <typename DType, typename Formula, typename... E, typename... T, int... kinds>
FormulaExp<Formula, DType, (type::kMapper | ... | kinds), E...> MakeFormula(
    const Formula &formula, const Exp<E, T, kinds> &...operands) {
  return {formula, operands.self()...};
}

template <typename Formula, typename DType, int kind, typename... E>
class Plan<FormulaExp<Formula, DType, kind, E...>, DType> {
  template <typename Operand>
  using ElementOf = detail::ElementType<Operand>;
  template <typename Operand>
  using PlanOf = Plan<Operand, ElementOf<Operand>>;
  using Numbers = typename detail::Pack<E...>::Numbers;

 public:
  explicit Plan(const FormulaExp<Formula, DType, kind, E...> &exp) : Plan(exp, Numbers()) {}

  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const { return EvalAt(y, x, Numbers()); }

  static constexpr bool kRuns = true;
  static constexpr bool kRunsInPlace = true;
  static constexpr index_t kLongestRun =
      (detail::kIsPlanOfTensor<PlanOf<E>> && ...) ? index_t{1} << 30 : detail::kMaxRun;
  void EvalRun(index_t y, index_t x, index_t n, DType *out) const {
    EvalRunAt(y, x, n, out, Numbers());
  }
  index_t RowPeriod() const { return RowPeriodAt(Numbers()); }

 private:
  template <int... i>
  Plan(const FormulaExp<Formula, DType, kind, E...> &exp, std::integer_sequence<int, i...>)
      : formula_(exp.formula_), operands_(MakePlan(detail::Get<i>(exp.operands_))...) {}
  template <int... i>
  MSHADOW_XINLINE DType EvalAt(index_t y, index_t x, std::integer_sequence<int, i...>) const {
    return formula_.Eval(detail::Get<i>(operands_).Eval(y, x)...);
  }
  template <int... i>
  void EvalRunAt(index_t y, index_t x, index_t n, DType *out,
                 std::integer_sequence<int, i...>) const {
    formula_.EvalRun(
        n, out,
        detail::RunInMemory<PlanOf<E>, ElementOf<E>>(detail::Get<i>(operands_), y, x, n).data()...);
  }
  template <int... i>
  index_t RowPeriodAt(std::integer_sequence<int, i...>) const {
    return detail::RowPeriodOf(detail::Get<i>(operands_)...);
  }

  Formula formula_;
  detail::Pack<PlanOf<E>...> operands_;
};

namespace detail {
constexpr int JoinDims(int dim) { return dim; }
template <typename... Dim>
constexpr int JoinDims(int a, int b, Dim... more) {
  return a < 0 ? a : JoinDims(JoinDim(a, b), more...);
}
}  // namespace detail

template <typename Formula, typename DType, int kind, typename... E>
struct ExpInfo<FormulaExp<Formula, DType, kind, E...>> : detail::DevicesOf<E...> {
  static constexpr int kDim = detail::JoinDims(ExpInfo<E>::kDim...);
};

template <int dim, typename Formula, typename DType, int kind, typename... E>
struct ShapeCheck<dim, FormulaExp<Formula, DType, kind, E...>> {
  static Shape<dim> Check(const FormulaExp<Formula, DType, kind, E...> &exp) {
    Shape<dim> common{};
    bool is_known = false;
    exp.ForEach([&](const auto &operand) {
      using Operand = std::decay_t<decltype(operand)>;
      if constexpr (ExpInfo<Operand>::kDim != 0) {
        const Shape<dim> shape = ShapeCheck<dim, Operand>::Check(operand);
        if (is_known && shape != common) {
          ::mshadow::detail::ThrowShapes("operands of an expression", common, shape);
        }
        common = shape;
        is_known = true;
      }
    });
    return common;
  }
};

template <typename Formula, typename DType, int kind, typename... E>
struct Operands<FormulaExp<Formula, DType, kind, E...>> : detail::OperandsOfNode<E...> {
  using Node = FormulaExp<Formula, DType, kind, E...>;
  template <typename Function>
  static void Visit(const Node &exp, detail::Path moved, Function &&f) {
    exp.ForEach([&f, moved](const auto &operand) {
      Operands<std::decay_t<decltype(operand)>>::Visit(operand, moved, f);
    });
  }
  static index_t Bytes(const Node &exp) {
    index_t bytes = 0;
    exp.ForEach([&bytes](const auto &operand) {
      bytes += Operands<std::decay_t<decltype(operand)>>::Bytes(operand);
    });
    return bytes;
  }
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_FORMULA_EXP_H_
