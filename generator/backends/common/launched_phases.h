// SPDX-License-Identifier: Apache-2.0
/// \file launched_phases.h
/// The phases of a kernel over channels or columns. They stand in one function, one after the
/// other; a launch does all of them, or one, and so a phase says what it leaves for those behind.
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

  /// The number of the first phase that gives a value.
  int Giving(int operand) const;
  /// Whether a phase behind that one reads it.
  bool IsReadBehind(int operand) const;
  /// Whether more than one phase reads or gives a value.
  bool IsShared(int operand) const;
  /// Whether a value has memory, and where: "plan.kept.factor", "plan.mean".
  bool IsInMemory(int operand) const;
  std::string Memory(int operand) const;

  /// Phase `number`, from 0, in `if (channel.Does(1)) {`, with its reductions.
  /// \param body what it does
  std::string Text(int number, const StepText &text, const std::string &body) const;

 private:
  std::string ForParts(const PhaseText &phase, const std::string &word) const;

  const PlanText &rule_;
  const Plan &plan_;
  const std::vector<PhaseText> phases_;
};

/// A function that such phases stand in.
struct LaunchedFunction {
  std::string values;  ///< what all phases use
  std::string body;    ///< the phases
};
std::string LaunchedText(const PlanText &rule, const LaunchedFunction &function);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_LAUNCHED_PHASES_H_
