// SPDX-License-Identifier: Apache-2.0
/// \file instruction_set.h
/// How a launch on a CPU chooses its instruction set, by what its loop waits for, and its loop.
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

/// Whether the text of ChosenLoop needs a variable `isa` with that instruction set. Otherwise the
/// launch uses the best one, which LoopFor asks for itself.
bool NamesIsa(const PlanText &rule, const EmitOptions &options);

/// `const auto loop = mshadow::LoopFor(baseline::AdamWLoop<DType>, …);`: the loop for that
/// instruction set. If the loop has variants, it is the one that the launch's conditions choose.
/// \param name the variable
/// \param suffix the end of the loop's name: "Loop", or "Sweep1Loop" for the loop of a phase
std::string ChosenLoop(const PlanText &rule, const EmitOptions &options, const std::string &name,
                       const std::string &suffix);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_CPU_INSTRUCTION_SET_H_
