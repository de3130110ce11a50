// SPDX-License-Identifier: Apache-2.0
/// \file fuse_kernels.h
/// Pass `fuse_kernels`: makes as few kernels as calls, boundaries and conditions allow.
#ifndef MSHADOW_GENERATOR_PASSES_FUSE_KERNELS_H_
#define MSHADOW_GENERATOR_PASSES_FUSE_KERNELS_H_

#include "ir/rule.h"

namespace mgen {

/// Fuses two kernels wherever CanFuse allows it and nothing has to run between them. A stage or
/// boundary between them has to, unless no launch runs it together with one of the two. Removes
/// boundaries. A rule without statements gets one empty kernel.
void FuseKernels(Rule *rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_FUSE_KERNELS_H_
