// SPDX-License-Identifier: Apache-2.0
/// \file view_text.h
/// Views in emitted code: who makes the expression, and how it is called.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_VIEW_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_VIEW_TEXT_H_

#include <string>
#include <vector>

#include "backends/common/plan_text.h"

namespace mgen {

/// The operands of a rule that are views.
std::vector<int> ViewsOf(const PlanText &rule);
/// Whether one of them has the rank of its rule, which is for any.
bool HasRankedViews(const PlanText &rule);
/// Their makers: `struct GluGateView { static auto Make(…) { return …; } };`
std::string ViewMakersText(const PlanText &rule);
/// "ViewOf<optim::GluGateView<DType>, TensorArg<DType>>": what the Plan has of one; of a view whose
/// rank is the rule's "RankedView<optim::TurnInView<DType>, 1, TensorArg<DType>>".
std::string ViewType(const PlanText &rule, int operand);
/// `mshadow::CheckView<FlipInView<DType>>(&check, "flip(in, 0)", "Flip", in);`
std::string ViewCheck(const PlanText &rule, int operand);
/// Whether no kernel reads a view, which is only to be checked: the Plan has none of it.
bool IsOnlyChecked(const PlanText &rule, int operand);
/// `plan.gate.Set(device, GluGateView<DType>::Make(in, s));`; of one that is only checked its last
/// check.
std::string ViewSet(const PlanText &rule, int operand);
/// A scalar of a launch, whose scalars are `s`, or a literal.
std::string LaunchScalarText(const PlanText &rule, const Expr &value);
/// "slice<1>(in, 0, half)": for people.
std::string ViewName(const PlanText &rule, int operand);
std::string ViewNameOfParam(const PlanText &rule, int param);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_VIEW_TEXT_H_
