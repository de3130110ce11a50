// SPDX-License-Identifier: Apache-2.0
/// \file phase_text.h
/// The phases of a rule that reduces, with all that is needed to print them.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_PHASE_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_PHASE_TEXT_H_

#include <set>
#include <string>
#include <vector>

#include "backends/common/plan_text.h"

namespace mgen {

/// A phase, and the operands and reductions that it uses.
struct PhaseText {
  const Phase *phase;
  int number;                   ///< among the sweeps, or among the epilogues, from 1
  std::vector<int> values;      ///< operands with one value per row, …, that it reads or assigns
  std::set<int> given;          ///< those that it assigns
  std::set<int> divisors;       ///< those for which it uses a Divisor
  std::vector<int> reductions;  ///< those that a sweep gives terms to, or an epilogue reads
  std::vector<int> leaves;      ///< likewise: those that compute leaves of another kernel
  std::vector<const Step *> scans;  ///< the lets that are scans
  std::set<int> again;  ///< views that only steps read that compute again what a row buffer has
  bool uses_scalars = false;  ///< of the launch
  bool uses_place = false;    ///< the indices of rows, columns or elements
  bool uses_number = false;   ///< the indices of elements among all that are reduced together
  /// For an epilogue: "before pass 1", "after pass 1".
  std::string when;
};
std::vector<PhaseText> PhasesOf(const PlanText &rule);

/// `top_max` + call for each reduction of a sweep: "top_max.Begin();".
std::string ForReductions(const PlanText &rule, const PhaseText &phase, const std::string &call);
/// `line`, in an `if constexpr` unless the guard always holds.
std::string GuardedLine(const PlanText &rule, const Guard &guard, const std::string &line);
/// "Maximum, float": the template arguments of a reduction's accumulators.
std::string ReductionArgs(const PlanText &rule, int reduction);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_PHASE_TEXT_H_
