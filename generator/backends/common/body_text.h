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
  int indent = 2;  ///< columns before it
  /// Whether terms are reduced at once, in the lanes of `i`; else they are variables that carry the
  /// reductions' names.
  bool reduces = false;
  /// What stands before the name of an operand that is assigned: its type, where that declares it.
  std::function<std::string(const Step &)> declaration = {};
};

/// `steps` line by line, with the statements' numbers beside. Operands are variables that carry
/// their names.
std::string BodyText(const PlanText &rule, const std::vector<Step> &steps, const BodyForm &form);
/// The same of a formula: a function of packets.
std::string BodyText(const PlanText &rule, const std::vector<Step> &steps);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_BODY_TEXT_H_
