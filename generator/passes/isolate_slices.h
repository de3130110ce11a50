// SPDX-License-Identifier: Apache-2.0
/// \file isolate_slices.h
/// Parts of one tensor that cannot be told to be apart, and of one shape, before there is a launch
/// are in kernels of their own: each statement then finds what those before it wrote, as unfused.
#ifndef MSHADOW_GENERATOR_PASSES_ISOLATE_SLICES_H_
#define MSHADOW_GENERATOR_PASSES_ISOLATE_SLICES_H_

#include "ir/rule.h"

namespace mgen {

/// Ends a stage, as MSHADOW_STAGE() does, in front of each statement that writes a part of a tensor
/// of which a statement before it in the same kernel uses another one, or that uses one where the
/// other writes it. Parts that are apart and of one shape for all arguments stay together. The
/// whole tensor, where it is read, has another shape than a part that is written.
/// \param rule its body is in one stage, which is not yet cut
void IsolateSlices(Rule *rule);

/// Says of each stage for which parts it is not one with the stage before it.
void NameParts(Rule *rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_ISOLATE_SLICES_H_
