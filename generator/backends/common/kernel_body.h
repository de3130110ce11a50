// SPDX-License-Identifier: Apache-2.0
/// \file kernel_body.h
/// SoftmaxRows of softmax.map.inc: what a kernel over elements, or one that reduces rows, does on
/// every target; of one that reduces everything LambSweep1, LambOnce1, …. It is written in words of
/// a row (docs/emitted-code.md), to which each target gives a meaning.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_KERNEL_BODY_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_KERNEL_BODY_H_

#include <string>

#include "backends/common/phases_text.h"

namespace mgen {

/// Whether a kernel's text is written in these words: it goes over elements, or reduces rows or
/// everything.
inline bool HasBody(const Plan &plan) {
  return plan.frame == Frame::kElement || plan.frame == Frame::kRow || plan.frame == Frame::kAll;
}

std::string KernelBodyText(const PlanText &rule);

/// What is behind the rule's name in that of a phase's function: "Sweep1", "Once1".
std::string PhaseSuffix(const PhaseText &phase);

/// Whether a value is stored that threads read for a sweep: all of them must have read it before.
bool StoresWhatIsRead(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_KERNEL_BODY_H_
