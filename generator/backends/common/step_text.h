// SPDX-License-Identifier: Apache-2.0
/// \file step_text.h
/// What the loops of every back end say alike: the template arguments of what they call, and the
/// call of what adamw.map.inc does for the elements of a row.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_STEP_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_STEP_TEXT_H_

#include <string>
#include <vector>

#include "backends/common/plan_text.h"

namespace mgen {

/// The template arguments of a function of one variant: the conditions, `sizes`, the element types.
std::vector<std::string> ConditionArgs(const PlanText &rule, const std::vector<std::string> &sizes);
/// The same with kBuffered, if the rule has row buffers.
std::vector<std::string> VariantArgs(const PlanText &rule, const std::vector<std::string> &sizes);

/// A call of AdamWElements.
struct ElementsCall {
  std::string region = {};  ///< what its name stands in: "adamw_scalar::"
  std::vector<std::string> conditions = {};
  std::string plan;      ///< the Plan: "plan"
  std::string elements;  ///< which ones: "ElementsInPackets<N>(row)"
  int indent;            ///< columns before it
};
std::string ElementsCallText(const PlanText &rule, const ElementsCall &call);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_STEP_TEXT_H_
