// SPDX-License-Identifier: Apache-2.0
/// \file body_text.h
/// The steps of a Plan as the lines of a formula's body.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_BODY_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_BODY_TEXT_H_

#include <functional>
#include <string>
#include <vector>

#include "backends/common/plan_text.h"

namespace mgen {

/// How the steps of a body are printed.
struct BodyForm {
  ExprStyle style;
  int indent = 2;  ///< columns by which the body is indented
  /// Whether a kReduce becomes a call of Reduce, for the lanes of `i`. If not, its term is assigned
  /// to a variable with the name of the reduction.
  bool reduces = false;
  /// The text before the name of an operand that a step assigns: the operand's type if the step
  /// declares it, else "".
  std::function<std::string(const Step &)> declaration = {};
};

/// The lines of `steps`, with the numbers of the statements in comments. Each operand is a variable
/// of its name.
std::string BodyText(const PlanText &rule, const std::vector<Step> &steps, const BodyForm &form);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_BODY_TEXT_H_
