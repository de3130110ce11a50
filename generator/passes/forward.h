// SPDX-License-Identifier: Apache-2.0
/// \file forward.h
/// Pass `forward_temporaries`. It is about kernels that reduce, which make several passes over
/// their elements, and about their temporaries with an element for each of the kernel's. Where
/// possible, a read of such a temporary becomes the expression that was assigned to it; after an
/// `if` with different assignments, a select between these.
///
///     1: e = exp(in)
///     2: total = sum<…>(e)               →   2: total = sum<…>(e@exp(in))
///     3: out = div(e, column(total))          3: out = div(e@exp(in), column(total))
#ifndef MSHADOW_GENERATOR_PASSES_FORWARD_H_
#define MSHADOW_GENERATOR_PASSES_FORWARD_H_

#include <set>

#include "ir/rule.h"

namespace mgen {

/// The temporaries that can be forwarded. They are read in place, and between assignment and reads
/// nothing writes what they are computed from. If an `if` would become a select, neither value may
/// trap. Other temporaries need memory. In a kernel without reductions none is forwarded, since
/// temporaries are registers there.
/// \param kernel a rule of one stage
std::set<int> ForwardableOf(const Rule &kernel);

/// The temporaries of the same kind that cannot be forwarded.
std::set<int> KeptOf(const Rule &kernel);

/// Returns what a kernel runs. In a kernel that reduces, temporaries are forwarded. The select
/// after an `if` is by a kCondition, numbered as in ConditionsOf. Statements that assign only what
/// nobody reads are removed. Every `if` stays, though its branches may be empty then.
/// \param kernel a rule of one stage, after expand_savers
Rule ForwardTemporaries(const Rule &kernel);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_FORWARD_H_
