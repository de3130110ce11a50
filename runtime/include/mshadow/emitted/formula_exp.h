// SPDX-License-Identifier: Apache-2.0
/// \file formula_exp.h
/// The node of an expression that mshadow-gen compiled from a function marked MSHADOW_EXPRESSION.
/// It computes each element from one element of each operand; operands are expressions. Emitted
/// headers include this.
#ifndef MSHADOW_FORMULA_EXP_H_
#define MSHADOW_FORMULA_EXP_H_

#include <utility>

#include "mshadow/expr/engine.h"
#include "mshadow/expr/formula_plan.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
/// Applies Formula to the elements of operands E.
/// \tparam Formula a Plan that mshadow-gen emitted; it holds the scalars. Eval(e...) computes an
///     element from one element of each operand, on any device. EvalRun(n, result, e *...) computes
///     n elements on the CPU; \p result may be an operand.
/// \tparam kind the node's kind, which follows from those of the operands
template <typename Formula, typename DType, int kind, typename... E>
struct FormulaExp : Exp<FormulaExp<Formula, DType, kind, E...>, DType, kind> {
  Formula formula_;
  detail::Pack<E...> operands_;
  FormulaExp(const Formula &formula, const E &...operands)
      : formula_(formula), operands_(operands...) {}

  /// Calls f(operand) for each operand, in order.
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

/// Runs \p loop over all elements of \p plan, on the calling thread.
template <typename Formula>
MSHADOW_CINLINE void CallLoop(void (*loop)(const void *, index_t, index_t), const Formula &plan) {
  loop(&plan, 0, plan.rows * plan.cols);
}

/// Makes the node. An emitted function returns it.
template <typename DType, typename Formula, typename... E, typename... T, int... kinds>
FormulaExp<Formula, DType, (type::kMapper | ... | kinds), E...> MakeFormula(
    const Formula &formula, const Exp<E, T, kinds> &...operands) {
  return {formula, operands.self()...};
}

template <typename Formula, typename DType, int kind, typename... E>
class Plan<FormulaExp<Formula, DType, kind, E...>, DType>
    : public detail::PlanOfFormula<Formula, DType, E...> {
  using Base = detail::PlanOfFormula<Formula, DType, E...>;

 public:
  explicit Plan(const FormulaExp<Formula, DType, kind, E...> &exp)
      : Plan(exp, typename detail::Pack<E...>::Numbers()) {}

 private:
  template <int... i>
  Plan(const FormulaExp<Formula, DType, kind, E...> &exp, std::integer_sequence<int, i...>)
      : Base(exp.formula_, detail::Get<i>(exp.operands_)...) {}
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
