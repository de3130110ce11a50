// SPDX-License-Identifier: Apache-2.0
/// \file performance.h
/// What makes a kernel slower than its memory traffic although the spec could say it in a faster
/// way. -Wperformance reports it, and `explain` lists it.
#ifndef MSHADOW_GENERATOR_PASSES_PERFORMANCE_H_
#define MSHADOW_GENERATOR_PASSES_PERFORMANCE_H_

#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostics.h"
#include "ir/plan.h"

namespace mgen {

struct SlowPart {
  DiagId id;         ///< a message of severity kPerformance
  DiagId note;       ///< what to write instead
  std::string what;  ///< fills the gap of both: a name of the spec, or a function
  SourceLocation location;
};

/// How many times as long a rule takes that has a part with this message as one that computes the
/// same without it: "2.2". In cache; measured by scripts/bench --slow-parts on an AMD EPYC with
/// AVX-512.
std::string_view SlowdownBy(DiagId id);

/// The slow parts of a scheduled kernel, each place once. Types are those of the first instance.
std::vector<SlowPart> SlowPartsOf(const Plan &kernel);

/// Reports the slow parts of a scheduled kernel. \returns true
bool ReportPerformance(const Plan &kernel, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_PERFORMANCE_H_
