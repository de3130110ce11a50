// SPDX-License-Identifier: Apache-2.0
/// \file kernel_body.h
/// SoftmaxRows of softmax.map.inc: what a kernel does on every target; of one that reduces
/// everything LambSweep1, LambOnce1, …. It is written in words of a row (docs/emitted-code.md), to
/// which each target gives a meaning.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_KERNEL_BODY_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_KERNEL_BODY_H_

#include <string>

#include "backends/common/phase_text.h"

namespace mgen {

std::string KernelBodyText(const PlanText &rule);
// For the table of skeletons: by what the kernel goes over.
std::string RowsBodyText(const PlanText &rule);
std::string EverythingBodyText(const PlanText &rule);
std::string ChannelsBodyText(const PlanText &rule);
std::string ColumnsBodyText(const PlanText &rule);

/// What is behind the rule's name in that of a phase's function: "Sweep1", "Once1".
std::string PhaseSuffix(const PhaseText &phase);
/// "Pass 1 of Lamb", "The epilogue of Lamb after pass 1": for comments.
std::string PhaseTitle(const PlanText &rule, const PhaseText &phase);

/// The template parameters of a body for a loop of type `target`.
std::string BodyTemplate(const PlanText &rule, const std::string &target);

/// Whether what is done once reads the result of a reduction whatever the conditions are: threads
/// wait for each other there.
bool AlwaysFinishes(const Phase &phase);

/// Whether a value is stored that threads read for a sweep: all of them must have read it before.
bool StoresWhatIsRead(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_KERNEL_BODY_H_
