// SPDX-License-Identifier: Apache-2.0
/// \file stages.h
/// What the stages of a rule are: one for each kernel, one for each matrix product.
#ifndef MSHADOW_GENERATOR_IR_STAGES_H_
#define MSHADOW_GENERATOR_IR_STAGES_H_

#include "ir/rule.h"

namespace mgen {

/// The product of a stage, or null if the stage is a kernel.
const Statement *ProductOf(const Stage &stage);

/// Whether some statement of a rule writes an argument.
bool WritesSomething(const Rule &rule);

/// Whether a rule is more than one kernel without memory of its own.
bool IsStaged(const Rule &rule);

/// One kernel of a staged rule, as a rule by itself: the same parameters and prologue. What needs
/// memory is a tensor like the arguments.
/// \param number the stage's, from 0
Rule StageRule(const Rule &rule, size_t number);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_STAGES_H_
