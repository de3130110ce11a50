// SPDX-License-Identifier: Apache-2.0
/// \file read_text.h
/// Views whose index expressions are known: the types of their members of the Plan, and the
/// statements by which a launch sets these.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_READ_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_READ_TEXT_H_

#include <string>

#include "backends/common/plan_text.h"

namespace mgen {

/// The type of an operand with Operand::read: `StridedView<DType, 2, Along::kForwards, true>`.
std::string ReadType(const PlanText &rule, int operand);
/// The statements that set its tensors, indices, bounds and extents.
std::string ReadSet(const PlanText &rule, int operand);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_READ_TEXT_H_
