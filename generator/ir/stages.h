// SPDX-License-Identifier: Apache-2.0
/// \file stages.h
/// Functions for the stages of a rule: each is a kernel, or a call of a function of the runtime.
#ifndef MSHADOW_GENERATOR_IR_STAGES_H_
#define MSHADOW_GENERATOR_IR_STAGES_H_

#include "ir/rule.h"

namespace mgen {

/// The matrix product, the scatter-add or the sort of a stage, or null if the stage is a kernel.
const Statement *CallOf(const Stage &stage);

/// Whether some statement of a rule writes an argument.
bool WritesSomething(const Rule &rule);

/// Whether a rule is not one kernel alone: it has several stages, or a call of the runtime, or a
/// temporary with memory.
bool IsStaged(const Rule &rule);

/// One stage of a rule, as a rule with the same parameters and prologue. A temporary with memory is
/// a tensor there, like an argument.
/// \param number the index of the stage
Rule StageRule(const Rule &rule, size_t number);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_STAGES_H_
