// SPDX-License-Identifier: Apache-2.0
/// \file isolate_slices.h
/// Pass `isolate_slices`: puts slices of one tensor into different kernels unless they are known,
/// before any launch, to be apart and of one shape. Then each statement reads what those before it
/// wrote, as unfused.
#ifndef MSHADOW_GENERATOR_PASSES_ISOLATE_SLICES_H_
#define MSHADOW_GENERATOR_PASSES_ISOLATE_SLICES_H_

#include "ir/rule.h"

namespace mgen {

/// Ends a stage, as MSHADOW_STAGE() does, before a statement if it and an earlier one of the same
/// kernel use different slices of one tensor, and one of them writes its slice. Slices that are
/// apart and of one shape for all arguments stay together. A slice and a read of the whole tensor
/// have different shapes; so have a tensor in another shape and any use of its own.
/// \param rule its body is in one stage, which is not yet cut
void IsolateSlices(Rule *rule);

/// Sets Stage::apart: the slices because of which a stage is not fused with the one before it.
void NameParts(Rule *rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_ISOLATE_SLICES_H_
