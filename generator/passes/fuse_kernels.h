// SPDX-License-Identifier: Apache-2.0
/// \file fuse_kernels.h
/// Pass `fuse_kernels`: as few kernels as products, boundaries and conditions allow.
#ifndef MSHADOW_GENERATOR_PASSES_FUSE_KERNELS_H_
#define MSHADOW_GENERATOR_PASSES_FUSE_KERNELS_H_

#include "ir/rule.h"

namespace mgen {

/// Makes one kernel of two between which only an `if` begins or ends, wherever they can be one
/// (can_fuse.h). Boundaries go; without statements there is one empty kernel.
void FuseKernels(Rule *rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_FUSE_KERNELS_H_
