// SPDX-License-Identifier: Apache-2.0
/// \file forward.h
/// Temporaries of a kernel that reduces, with an element for each of the kernel's: the kernel goes
/// over its elements more than once and has no memory for them. Where it can, a read of such a
/// temporary becomes the expression that the temporary was given.
///
///     1: e = exp(in)
///     2: total = row_sum(e)             →     2: total = row_sum(e@exp(in))
///     3: out = div(e, column(total))          3: out = div(e@exp(in), column(total))
#ifndef MSHADOW_GENERATOR_IR_FORWARD_H_
#define MSHADOW_GENERATOR_IR_FORWARD_H_

#include "ir/rule.h"

namespace mgen {

/// Whether that can be done: one statement gives the temporary its elements, whatever the
/// conditions are, and nothing that it reads is written before the last read of the temporary.
/// \param kernel a rule of one stage
bool IsForwardable(const Rule &kernel, int temporary);

/// Does it for all that can be forwarded. Rules that reduce nothing stay as they are: there such a
/// temporary is a register.
Rule ForwardTemporaries(Rule kernel);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_FORWARD_H_
