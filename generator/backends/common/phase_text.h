// SPDX-License-Identifier: Apache-2.0
/// \file phase_text.h
/// The phases of a rule that reduces, as what prints them sees them.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_PHASE_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_PHASE_TEXT_H_

#include <set>
#include <string>
#include <vector>

#include "backends/common/plan_text.h"

namespace mgen {

/// One phase, and what of the row it is about.
struct PhaseText {
  const Phase *phase;
  int number;                   ///< of the sweep, or of the row's steps, from 1
  std::vector<int> values;      ///< operands with one value per row, …, that it reads or gives
  std::set<int> given;          ///< those that it gives
  std::set<int> divisors;       ///< those that it takes as a Divisor
  std::vector<int> reductions;  ///< of a sweep: that it takes terms of; else: that it reads
  std::vector<int> leaves;      ///< likewise: reductions whose results are another kernel's leaves
  bool uses_scalars = false;    ///< of the launch
  bool uses_place = false;      ///< the numbers of rows or columns, or of elements
  bool uses_number = false;     ///< the numbers of elements among all that are reduced together
  /// Of what is done once: "before its sweeps", "after sweep 1".
  std::string when;
};
std::vector<PhaseText> PhasesOf(const PlanText &rule);

/// `top_max` + call for each reduction of a sweep: "top_max.Begin();".
std::string ForReductions(const PlanText &rule, const PhaseText &phase, const std::string &call);
/// One statement in its variants.
std::string GuardedLine(const PlanText &rule, const Guard &guard, const std::string &line);
/// "Maximum, float": the template arguments of a reduction's accumulators.
std::string ReductionArgs(const PlanText &rule, int reduction);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_PHASE_TEXT_H_
