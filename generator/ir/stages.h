// SPDX-License-Identifier: Apache-2.0
/// \file stages.h
/// Functions for the stages of a rule: each is a kernel or a matrix product.
#ifndef MSHADOW_GENERATOR_IR_STAGES_H_
#define MSHADOW_GENERATOR_IR_STAGES_H_

#include "ir/rule.h"

namespace mgen {

/// The product of a stage, or null if the stage is a kernel.
const Statement *ProductOf(const Stage &stage);

/// Whether some statement of a rule writes an argument.
bool WritesSomething(const Rule &rule);

/// Whether a rule needs more than one call of a kernel: it has several stages, or a matrix product,
/// or a temporary with memory.
bool IsStaged(const Rule &rule);

/// One stage of a rule, as a rule with the same parameters and prologue. A temporary with memory is
/// a tensor there, like an argument.
/// \param number the index of the stage
Rule StageRule(const Rule &rule, size_t number);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_STAGES_H_
