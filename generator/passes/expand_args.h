// SPDX-License-Identifier: Apache-2.0
/// \file expand_args.h
/// Pass `expand_args`: expands argmax and argmin. `top = argmax<keep 0 by lanes>(x)` becomes the
/// maximum, in a temporary, and the least index of an element that equals it.
#ifndef MSHADOW_GENERATOR_PASSES_EXPAND_ARGS_H_
#define MSHADOW_GENERATOR_PASSES_EXPAND_ARGS_H_

#include "ir/rule.h"

namespace mgen {

/// Rewrites argmax and argmin in a kernel, and notes in Rule::counted which types must hold their
/// indices. \param rule after expand_savers
Rule ExpandArgs(Rule rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_EXPAND_ARGS_H_
