// SPDX-License-Identifier: Apache-2.0
/// \file isolate_reductions.h
/// Pass `isolate_reductions`: a kernel reduces one kind of thing.
#ifndef MSHADOW_GENERATOR_PASSES_ISOLATE_REDUCTIONS_H_
#define MSHADOW_GENERATOR_PASSES_ISOLATE_REDUCTIONS_H_

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// A kernel goes over memory in one way: by rows, by columns, by the channels of one dimension, or
/// over everything. Puts a boundary between statements of the rule's only stage that need different
/// ones. Where other statements stand between them, it stands where the kernels on its two sides
/// move the fewest bytes.
/// \returns false after reporting a statement that needs two ways itself
bool IsolateReductions(Rule *rule, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_ISOLATE_REDUCTIONS_H_
