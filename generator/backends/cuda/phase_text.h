// SPDX-License-Identifier: Apache-2.0
/// \file phase_text.h
/// What kernels of rules that reduce columns or channels have in common: a launch does all phases,
/// or one of them (cuda/phase_team.cuh). Then values, and parts of reductions, are in memory.
#ifndef MSHADOW_GENERATOR_BACKENDS_CUDA_PHASE_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_CUDA_PHASE_TEXT_H_

#include <string>
#include <vector>

#include "backends/common/phases_text.h"

namespace mgen {
namespace cuda {

/// Column or channel \p index of a kernel.
class PhaseTexts {
 public:
  PhaseTexts(const PlanText &rule, std::string index)
      : rule_(rule), phases_(PhasesOf(rule)), index_(std::move(index)) {}

  /// Of the values: those that a tensor holds are read.
  std::string Locals() const;
  /// `bodies`, one for each phase, each by the launches that do it.
  std::string Bodies(const std::vector<std::string> &bodies) const;
  /// The accumulators of a sweep.
  std::string Reductions(const PhaseText &phase) const;
  /// Writes the values back, in the launches that give them.
  std::string Stores() const;
  const std::vector<PhaseText> &phases() const { return phases_; }

 private:
  bool IsReadBehind(int phase, int operand) const;
  std::string Place(int operand) const;
  std::string Load(int operand) const;
  std::string GivenLocal(int operand) const;
  std::string Giving(int operand, const char *does) const;
  std::string ForParts(const PhaseText &phase) const;

  const PlanText &rule_;
  const std::vector<PhaseText> phases_;
  const std::string index_;
};

/// The choice of a kernel, and its launches by \p function.
std::string PhaseChoiceText(const PlanText &rule, const std::string &function);

}  // namespace cuda
}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_CUDA_PHASE_TEXT_H_
