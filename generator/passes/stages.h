// SPDX-License-Identifier: Apache-2.0
/// \file stages.h
/// Passes `split` and `join`: each kernel of a staged rule goes through the other passes as a rule
/// by itself.
#ifndef MSHADOW_GENERATOR_PASSES_STAGES_H_
#define MSHADOW_GENERATOR_PASSES_STAGES_H_

#include <vector>

#include "diag/diagnostics.h"
#include "ir/plan.h"

namespace mgen {

/// Checks what holds over several stages: what products write, that memory has values before it is
/// read, that indices are there before the launch. \returns false after reporting.
bool CheckStages(const Rule &rule, Diagnostics &diagnostics);

/// The kernels of a staged rule, in order. None of a rule that is one kernel.
std::vector<Rule> KernelsOf(const Rule &rule);

/// The Plan of a staged rule. \param kernels those of its kernels, in order
Plan JoinStages(const Rule &rule, std::vector<Plan> kernels);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_STAGES_H_
