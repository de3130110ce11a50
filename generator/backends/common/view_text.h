// SPDX-License-Identifier: Apache-2.0
/// \file view_text.h
/// Views in emitted code: the structs that make their expressions, and the calls of these.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_VIEW_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_VIEW_TEXT_H_

#include <string>
#include <vector>

#include "backends/common/plan_text.h"

namespace mgen {

/// The operands of a rule that are views.
std::vector<int> ViewsOf(const PlanText &rule);
/// Whether one of them has the rank of a rule for any rank.
bool HasRankedViews(const PlanText &rule);
/// An expression that a launch makes, by a struct of which `maker` is the name.
struct MadeExpression {
  const View *view;
  std::string maker;
  bool is_for_any_rank;  ///< it has another type for each rank
};
/// The expression of a view.
MadeExpression ExpressionOf(const PlanText &rule, int operand);
/// The part of it that the kernel evaluates for `read`, one of the reads of which the operand's
/// consists.
MadeExpression ExpressionOf(const PlanText &rule, int operand, const IndexedRead &read);
/// The type of a member of the Plan that evaluates an expression: `ViewOf<GluGateView<DType>, …>`.
std::string ExpressionType(const PlanText &rule, const MadeExpression &made);
/// The statement that sets this member. \param operand the view, for messages
std::string ExpressionSet(const PlanText &rule, int operand, const MadeExpression &made,
                          const std::string &member);
/// The makers of all of these: `struct GluGateView { static auto Make(…) { return …; } };`
std::string ViewMakersText(const PlanText &rule);
/// The type of a view's member of the Plan: "ViewOf<optim::GluGateView<DType>, TensorArg<DType>>",
/// or "RankedView<optim::TurnInView<DType>, 1, TensorArg<DType>>" in a rule for any rank. If index
/// expressions describe the view, it is that of read_text.h.
std::string ViewType(const PlanText &rule, int operand);
/// `mshadow::CheckView<FlipInView<DType>>(&check, "flip(in, 0)", "Flip", in);`
std::string ViewCheck(const PlanText &rule, int operand);
/// Whether a launch only checks a view, since the kernel does not read it. Then the Plan has no
/// member for it.
bool IsOnlyChecked(const PlanText &rule, int operand);
/// `plan.gate.Set(device, GluGateView<DType>::Make(in, s));`. For a view that is only checked, its
/// last check.
std::string ViewSet(const PlanText &rule, int operand);
/// A scalar of the launch, as a member of `s`, or a literal.
std::string LaunchScalarText(const PlanText &rule, const Expr &value);
/// "slice<1>(in, 0, half)": for people.
std::string ViewName(const PlanText &rule, int operand);
std::string ViewNameOfParam(const PlanText &rule, int param);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_VIEW_TEXT_H_
