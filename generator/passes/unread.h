// SPDX-License-Identifier: Apache-2.0
/// \file unread.h
/// Temporaries that a kernel gives values and nobody reads. Part of `forward_temporaries`.
#ifndef MSHADOW_GENERATOR_PASSES_UNREAD_H_
#define MSHADOW_GENERATOR_PASSES_UNREAD_H_

#include "ir/rule.h"

namespace mgen {

/// Leaves out the statements that give such temporaries values. Every `if` stays, though its
/// branches may be empty now.
/// \param kernel a rule of one stage
Rule WithoutUnread(Rule kernel);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_UNREAD_H_
