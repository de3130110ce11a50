// SPDX-License-Identifier: Apache-2.0
/// \file split_stages.h
/// Pass `split_stages`: a rule's body becomes stages, cut as often as one could think of.
#ifndef MSHADOW_GENERATOR_PASSES_SPLIT_STAGES_H_
#define MSHADOW_GENERATOR_PASSES_SPLIT_STAGES_H_

#include "ir/rule.h"

namespace mgen {

/// Cuts the body of the rule's only stage around each product, at each boundary, which becomes a
/// stage of its own, and between statements that no tensor ties together, so that nothing says that
/// they have one shape. What stands under a condition keeps it.
void SplitStages(Rule *rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_SPLIT_STAGES_H_
