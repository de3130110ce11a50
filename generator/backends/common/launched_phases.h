// SPDX-License-Identifier: Apache-2.0
/// \file launched_phases.h
/// The phases of a kernel over channels or columns. One function has all phases in order, and a
/// launch runs all of them or one. So each phase stores the values that later launches need.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_LAUNCHED_PHASES_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_LAUNCHED_PHASES_H_

#include <string>
#include <vector>

#include "backends/common/step_text.h"

namespace mgen {

class LaunchedPhases {
 public:
  explicit LaunchedPhases(const PlanText &rule)
      : rule_(rule), plan_(rule.plan()), phases_(PhasesOf(rule)) {}

  const std::vector<PhaseText> &all() const { return phases_; }

  /// The index of the first phase that assigns a value.
  int Giving(int operand) const;
  /// Whether a phase after that one reads the value.
  bool IsReadLater(int operand) const;
  /// Whether more than one phase reads or assigns a value.
  bool IsShared(int operand) const;
  /// Whether a value has memory, and its name there: "plan.kept.factor", "plan.mean".
  bool IsInMemory(int operand) const;
  std::string Memory(int operand) const;

  /// The text of a phase: `if (channel.Does(1)) {`, the declarations of its reductions, and `body`.
  /// \param number the index of the phase
  std::string Text(int number, const StepText &text, const std::string &body) const;

 private:
  std::string ForParts(const PhaseText &phase, const std::string &word) const;

  const PlanText &rule_;
  const Plan &plan_;
  const std::vector<PhaseText> phases_;
};

/// The text of a function that has such phases.
struct LaunchedFunction {
  std::string values;  ///< declarations that all phases use
  std::string body;    ///< the phases
};
std::string LaunchedText(const PlanText &rule, const LaunchedFunction &function);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_LAUNCHED_PHASES_H_
