// SPDX-License-Identifier: Apache-2.0
/// \file check.h
/// Pass `check`: reports valid C++ that is not a valid spec, where it is and what to write instead:
/// writes of const tensors, reads of other elements of a tensor that the rule writes, too many
/// scalar conditions, no write at all, mixed element types, names that emitted code cannot use.
/// Warns if a scalar loses digits in a 16-bit type. Runs on the merged rule, before anything is
/// rearranged. Later passes rely on it.
#ifndef MSHADOW_GENERATOR_PASSES_CHECK_H_
#define MSHADOW_GENERATOR_PASSES_CHECK_H_

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// \returns whether the rule can be generated: no error was reported for it.
bool Check(const Rule &rule, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_CHECK_H_
