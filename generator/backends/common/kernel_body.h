// SPDX-License-Identifier: Apache-2.0
/// \file kernel_body.h
/// SoftmaxRows of softmax.map.inc: what a kernel over elements, or one that reduces rows, does on
/// every target. It is written in words of a row (docs/emitted-code.md), to which each target gives
/// a meaning.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_KERNEL_BODY_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_KERNEL_BODY_H_

#include <string>

#include "backends/common/plan_text.h"

namespace mgen {

/// Whether a kernel's text is one body: it goes over elements, or reduces rows.
inline bool HasBody(const Plan &plan) {
  return plan.frame == Frame::kElement || plan.frame == Frame::kRow;
}

std::string KernelBodyText(const PlanText &rule);

/// Whether values are read that are written later, with no reduction between that would make the
/// threads of a row wait for each other.
bool WritesWhatThreadsRead(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_KERNEL_BODY_H_
