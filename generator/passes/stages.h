// SPDX-License-Identifier: Apache-2.0
/// \file stages.h
/// Passes `split` and `join`: take a staged rule apart, so that each kernel goes through the other
/// passes as a rule by itself, and put their Plans together.
#ifndef MSHADOW_GENERATOR_PASSES_STAGES_H_
#define MSHADOW_GENERATOR_PASSES_STAGES_H_

#include <vector>

#include "diag/diagnostics.h"
#include "ir/plan.h"

namespace mgen {

/// Checks what concerns several stages: calls write no const tensor, workspaces are written
/// before they are read, no statement writes the indices of a gather, and the rule writes
/// something.
/// \returns false after errors
bool CheckStages(const Rule &rule, Diagnostics &diagnostics);

/// The kernels of a staged rule, in order; empty for a rule that is one kernel.
std::vector<Rule> KernelsOf(const Rule &rule);

/// The Plan of a staged rule. \param kernels those of its kernels, in order
Plan JoinStages(const Rule &rule, std::vector<Plan> kernels);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_STAGES_H_
