// SPDX-License-Identifier: Apache-2.0
/// \file pieces.h
/// What the emitted files are made of: each function gives one rule's part of one file.
#ifndef MSHADOW_GENERATOR_BACKENDS_CPU_PIECES_H_
#define MSHADOW_GENERATOR_BACKENDS_CPU_PIECES_H_

#include <string>

#include "backends/common/plan_text.h"
#include "backends/common/spec_text.h"
#include "backends/emit_options.h"

namespace mgen {

// adamw.map.inc
std::string MapText(const PlanText &rule);  ///< AdamWMap and AdamWStep

// adamw.loop.inc
std::string LoopText(const PlanText &rule);  ///< AdamWLoop
/// The same for a rule that reduces rows.
std::string RowLoopText(const PlanText &rule, const std::string &lane_types);

// adamw.gen.h
std::string ScalarsText(const PlanText &rule);  ///< struct AdamWScalars, and AdamWRule's name
std::string LauncherText(const PlanText &rule, const SpecText &spec);  ///< LaunchAdamW and AdamW
std::string PlanClassText(const PlanText &rule, const SpecText &spec);
std::string RuleClassText(const PlanText &rule, const SpecText &spec);

// adamw.gen.cc
std::string KernelDeclarationsText(const PlanText &rule, const EmitOptions &options);
std::string RunText(const PlanText &rule,
                    const EmitOptions &options);  ///< in the unnamed namespace
std::string LaunchText(const PlanText &rule);     ///< the launchers

/// The parameters of LaunchAdamW for one instance, after the device. `named`: with names, of those
/// that the body uses.
std::vector<std::string> LaunchParams(const PlanText &rule, const PlanText::Instance &instance,
                                      bool named);
/// Which parameters the prologue, the scalars and the conditions use, by index.
std::vector<int> PrepareParams(const PlanText &rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_CPU_PIECES_H_
