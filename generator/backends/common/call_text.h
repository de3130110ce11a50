// SPDX-License-Identifier: Apache-2.0
/// \file call_text.h
/// The calls of kernel bodies, such as SoftmaxRows of softmax.map.inc, by the loops of all back
/// ends, and the template arguments of these calls.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_CALL_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_CALL_TEXT_H_

#include <string>
#include <vector>

#include "backends/common/plan_text.h"

namespace mgen {

/// The template arguments of a function that is compiled for each variant: the conditions, `sizes`
/// and the element types.
std::vector<std::string> ConditionArgs(const PlanText &rule, const std::vector<std::string> &sizes);
/// The same with kBuffered, if the rule has row buffers, and kHasLeaves, if it has leaves.
std::vector<std::string> VariantArgs(const PlanText &rule, const std::vector<std::string> &sizes);

/// The line by which a body gets the scalars of the launch: on a CPU a copy, which no store can
/// change.
inline constexpr char kScalars[] = "const auto &s = ScalarsOf(plan);";

/// A call of a kernel's body.
struct BodyCall {
  std::string region;                   ///< qualifies the function: "adamw_scalar::"
  std::vector<std::string> conditions;  ///< template arguments: "kNesterov", "true"
  std::string plan;                     ///< the Plan: "plan"
  std::string rows;                     ///< its rows: "RowsInPackets<N>(begin, end, plan.cols)"
  int indent;                           ///< columns by which the call is indented
  std::string function = "Rows";        ///< what follows the rule's name in the function's name
};
std::string BodyCallText(const PlanText &rule, const BodyCall &call);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_CALL_TEXT_H_
