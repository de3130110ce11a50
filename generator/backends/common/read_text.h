// SPDX-License-Identifier: Apache-2.0
/// \file read_text.h
/// Views whose index expressions are known: members of the Plan, and what a launch sets in them.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_READ_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_READ_TEXT_H_

#include <string>

#include "backends/common/plan_text.h"

namespace mgen {

/// `StridedView<DType, 2, Along::kForwards, true>`: the type of such an operand, Operand::read.
std::string ReadType(const PlanText &rule, int operand);
/// The statements that set its tensors, indices, bounds and extents.
std::string ReadSet(const PlanText &rule, int operand);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_READ_TEXT_H_
