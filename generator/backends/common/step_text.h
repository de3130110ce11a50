// SPDX-License-Identifier: Apache-2.0
/// \file step_text.h
/// What every back end's loop says about its rule: where the rows of the operands are, and the call
/// of the step of adamw.map.inc.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_STEP_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_STEP_TEXT_H_

#include <string>
#include <vector>

#include "backends/common/plan_text.h"

namespace mgen {

/// `const float *const grad = plan.grad.row(row.y());` for each operand; of one with one value per
/// row, that value.
std::string RowPointers(const PlanText &rule);

/// The template arguments of a function of one variant: the conditions, `sizes`, the element types.
std::vector<std::string> ConditionArgs(const PlanText &rule, const std::vector<std::string> &sizes);
/// The same with kBuffered, if the rule has row buffers.
std::vector<std::string> VariantArgs(const PlanText &rule, const std::vector<std::string> &sizes);

/// A call of the rule's step.
struct StepCall {
  std::string count;    ///< how many elements: "N"
  std::string scalars;  ///< the Scalars: "s"
  std::string row;      ///< its number: "row.y()"
  std::string index;    ///< of the first one in the row: "i"
  std::string lanes;    ///< which ones: "AllLanes()"
  int indent;           ///< columns before it
};
std::string StepCallText(const PlanText &rule, const StepCall &call);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_STEP_TEXT_H_
