// SPDX-License-Identifier: Apache-2.0
/// \file forward.h
/// Pass `forward_temporaries`: those of a kernel that reduces, with an element for each of the
/// kernel's: the kernel goes over its elements more than once. Where it can, a read of such a
/// temporary becomes the expression that the temporary was given; after an `if` whose branches gave
/// it different ones, a choice between these.
///
///     1: e = exp(in)
///     2: total = sum<…>(e)               →   2: total = sum<…>(e@exp(in))
///     3: out = div(e, column(total))          3: out = div(e@exp(in), column(total))
#ifndef MSHADOW_GENERATOR_PASSES_FORWARD_H_
#define MSHADOW_GENERATOR_PASSES_FORWARD_H_

#include <set>

#include "ir/rule.h"

namespace mgen {

/// The temporaries with which that can be done: where they are read, nothing has written what they
/// were computed from. Others need memory. A rule that reduces nothing has none: there such a
/// temporary is a register.
/// \param kernel a rule of one stage
std::set<int> ForwardableOf(const Rule &kernel);

/// The temporaries of a kernel that reduces, with an element for each of the kernel's, with which
/// it cannot be done.
std::set<int> KeptOf(const Rule &kernel);

/// What a kernel runs. Where it reduces, those temporaries are forwarded; after an `if` whose
/// branches gave one different values, the choice between them is by a kCondition, numbered as
/// ConditionsOf does. Statements that give temporaries values which nobody reads go. Every `if`
/// stays, though its branches may be empty now.
/// \param kernel a rule of one stage whose savers are expanded
Rule ForwardTemporaries(const Rule &kernel);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_FORWARD_H_
