// SPDX-License-Identifier: Apache-2.0
/// \file call_text.h
/// The calls that the loops of every back end make: their template arguments, and the call of
/// SoftmaxRows of softmax.map.inc.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_CALL_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_CALL_TEXT_H_

#include <string>
#include <vector>

#include "backends/common/plan_text.h"

namespace mgen {

/// The template arguments of a function of one variant: the conditions, `sizes`, the element types.
std::vector<std::string> ConditionArgs(const PlanText &rule, const std::vector<std::string> &sizes);
/// The same with kBuffered, if the rule has row buffers, and kHasLeaves, if it has leaves.
std::vector<std::string> VariantArgs(const PlanText &rule, const std::vector<std::string> &sizes);

/// What a body calls the launch's scalars: on a CPU a copy, which no store can change.
inline constexpr char kScalars[] = "const auto &s = ScalarsOf(plan);";

/// A call of a kernel's body.
struct BodyCall {
  std::string region;                   ///< what its name stands in: "adamw_scalar::"
  std::vector<std::string> conditions;  ///< template arguments: "kNesterov", "true"
  std::string plan;                     ///< the Plan: "plan"
  std::string rows;                     ///< which ones: "RowsInPackets<N>(begin, end, plan.cols)"
  int indent;                           ///< columns before it
  std::string function = "Rows";        ///< what is behind the rule's name in the function's
};
std::string BodyCallText(const PlanText &rule, const BodyCall &call);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_CALL_TEXT_H_
