// SPDX-License-Identifier: Apache-2.0
/// \file reducer_text.h
/// The names of reducers in emitted code, and the structs of a rule's own reducers.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_REDUCER_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_REDUCER_TEXT_H_

#include <string>

#include "backends/common/plan_text.h"

namespace mgen {

/// The reducer that combines two partial results: "Sum", "NormLogAdd<DType>".
std::string ReducerName(const PlanText &rule, const Reduction &reduction);
/// The reducer that combines a partial result and an element.
std::string TermReducerName(const PlanText &rule, const Reduction &reduction);

/// The reducer of a scan, as that of a reduction.
Reduction ReductionOf(const Node &scan);
/// The class of the accumulator of a scan or a recurrence: "RowScan<Sum, float, N>".
std::string ScanClass(const PlanText &rule, const Node &scan);

/// The structs of the rule's own reducers, with an empty line after each.
std::string ReducersText(const PlanText &rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_REDUCER_TEXT_H_
