// SPDX-License-Identifier: Apache-2.0
/// \file expand_args.h
/// The pass `expand_args`: `top = argmax<keep 0 by lanes>(x)` is the least number of an element
/// that is the maximum, which a temporary has.
#ifndef MSHADOW_GENERATOR_PASSES_EXPAND_ARGS_H_
#define MSHADOW_GENERATOR_PASSES_EXPAND_ARGS_H_

#include "ir/rule.h"

namespace mgen {

/// Rewrites the reductions of a kernel that give numbers of elements, and notes in Rule::counted
/// which types must hold these. The savers have been expanded.
Rule ExpandArgs(Rule rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_EXPAND_ARGS_H_
