// SPDX-License-Identifier: Apache-2.0
/// \file reducer_text.h
/// Reducers as emitted code names them, and those of a rule's own as structs.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_REDUCER_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_REDUCER_TEXT_H_

#include <string>

#include "backends/common/plan_text.h"

namespace mgen {

/// What combines results of parts: "Sum", "NormLogAdd<DType>".
std::string ReducerName(const PlanText &rule, const Reduction &reduction);
/// What takes an element into a result.
std::string TermReducerName(const PlanText &rule, const Reduction &reduction);

/// The structs of the rule's own reducers, with an empty line after each.
std::string ReducersText(const PlanText &rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_REDUCER_TEXT_H_
