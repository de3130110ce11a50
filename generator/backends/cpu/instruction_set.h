// SPDX-License-Identifier: Apache-2.0
/// \file instruction_set.h
/// How a launch chooses its instruction set on a CPU: by what its loop waits for.
#ifndef MSHADOW_GENERATOR_BACKENDS_CPU_INSTRUCTION_SET_H_
#define MSHADOW_GENERATOR_BACKENDS_CPU_INSTRUCTION_SET_H_

#include <string>

#include "backends/common/plan_text.h"
#include "backends/emit_options.h"

namespace mgen {

bool EmitsIsa(const EmitOptions &options, const char *isa);

/// Whether the AVX-512 region, if there is one, has the loop twice (Schedule::has_short_packets).
bool HasShortPackets(const Plan &plan, const EmitOptions &options);

/// `mshadow::IsaToMoveOf<DType>(plan.rows * plan.cols * kBytes)`: the instruction set of a launch.
std::string ChosenIsa(const PlanText &rule, const EmitOptions &options);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_CPU_INSTRUCTION_SET_H_
