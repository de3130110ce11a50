// SPDX-License-Identifier: Apache-2.0
/// \file isolate_reductions.h
/// Pass `isolate_reductions`: splits kernels so that each reduces over one set of axes.
#ifndef MSHADOW_GENERATOR_PASSES_ISOLATE_REDUCTIONS_H_
#define MSHADOW_GENERATOR_PASSES_ISOLATE_REDUCTIONS_H_

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// A kernel goes over memory in one way: by rows, by columns, by the channels of one dimension, or
/// over everything. Puts a boundary between statements of the rule's only stage that need different
/// ways. If other statements are between them, the boundary goes where the two kernels move the
/// fewest bytes.
/// \returns false after it reports a statement that needs two ways by itself
bool IsolateReductions(Rule *rule, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_ISOLATE_REDUCTIONS_H_
