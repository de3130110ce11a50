// SPDX-License-Identifier: Apache-2.0
/// \file kernel_body.h
/// The body of a kernel, such as SoftmaxRows of softmax.map.inc. A kernel that reduces everything
/// has a function for each phase: LambSweep1, LambOnce1, …. CPUs and GPUs compile the same text. It
/// calls words (docs/emitted-code.md), which CPUs and GPUs define differently.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_KERNEL_BODY_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_KERNEL_BODY_H_

#include <string>

#include "backends/common/phase_text.h"

namespace mgen {

std::string KernelBodyText(const PlanText &rule);
// Functions for the table of skeletons, one for each way to go over memory.
std::string RowsBodyText(const PlanText &rule);
std::string EverythingBodyText(const PlanText &rule);
std::string ChannelsBodyText(const PlanText &rule);
std::string ColumnsBodyText(const PlanText &rule);

/// What follows the rule's name in the name of a phase's function: "Sweep1", "Once1".
std::string PhaseSuffix(const PhaseText &phase);
/// "Pass 1 of Lamb", "The epilogue of Lamb after pass 1": for comments.
std::string PhaseTitle(const PlanText &rule, const PhaseText &phase);

/// The template line of a body, whose last parameter is the class of rows, `target`.
std::string BodyTemplate(const PlanText &rule, const std::string &target);

/// Whether a phase is an epilogue that reads the result of a reduction under all conditions. To
/// read a result, the threads wait for each other.
bool AlwaysFinishes(const Phase &phase);

/// Whether a kernel with sweeps stores a value that its threads also load. Then all threads must
/// have loaded it before one of them stores it.
bool StoresWhatIsRead(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_KERNEL_BODY_H_
