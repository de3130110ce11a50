// SPDX-License-Identifier: Apache-2.0
/// \file body_text.h
/// The steps of a Plan as the lines of a formula's body.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_BODY_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_BODY_TEXT_H_

#include <string>
#include <vector>

#include "backends/common/plan_text.h"

namespace mgen {

/// `steps` line by line, with the statements' numbers beside. Operands, and the terms of
/// reductions, are variables that carry their names.
std::string BodyText(const PlanText &rule, const std::vector<Step> &steps);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_BODY_TEXT_H_
