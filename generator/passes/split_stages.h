// SPDX-License-Identifier: Apache-2.0
/// \file split_stages.h
/// Pass `split_stages`: cuts a rule's body into as many stages as possible, for fuse_kernels to
/// join.
#ifndef MSHADOW_GENERATOR_PASSES_SPLIT_STAGES_H_
#define MSHADOW_GENERATOR_PASSES_SPLIT_STAGES_H_

#include "ir/rule.h"

namespace mgen {

/// Cuts the rule's only stage around each call and at each boundary, which becomes a stage of its
/// own. Also cuts between statements that no tensor ties together, since their shapes may differ.
/// Statements keep their conditions.
void SplitStages(Rule *rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_SPLIT_STAGES_H_
