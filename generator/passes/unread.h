// SPDX-License-Identifier: Apache-2.0
/// \file unread.h
/// Removes assignments to temporaries that nobody reads. Part of `forward_temporaries`.
#ifndef MSHADOW_GENERATOR_PASSES_UNREAD_H_
#define MSHADOW_GENERATOR_PASSES_UNREAD_H_

#include "ir/rule.h"

namespace mgen {

/// Returns \p kernel without the statements that assign such temporaries. Every `if` stays, though
/// its branches may be empty then.
/// \param kernel a rule of one stage
Rule WithoutUnread(Rule kernel);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_UNREAD_H_
