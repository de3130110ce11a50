// SPDX-License-Identifier: Apache-2.0
/// \file split_stages.h
/// A rule's body becomes stages: as few kernels as its conditions and products allow.
#ifndef MSHADOW_GENERATOR_PASSES_SPLIT_STAGES_H_
#define MSHADOW_GENERATOR_PASSES_SPLIT_STAGES_H_

#include <vector>

#include "ir/rule.h"

namespace mgen {

/// The body of the rule's only stage, cut around each product, where the spec says MSHADOW_STAGE(),
/// and where no tensor is used on both sides, so that nothing says that they have one shape. What
/// stands under a condition keeps it. Kernels that only an `if` stands between are one where they
/// can be (one_kernel.h). No stage is empty, but without statements there is one.
std::vector<Stage> SplitStages(const Rule &rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_SPLIT_STAGES_H_
