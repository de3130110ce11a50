// SPDX-License-Identifier: Apache-2.0
/// \file buffer.h
/// Pass `buffer`: if several passes over a row use the same expensive value, the first computes it
/// and stores it in a row buffer for the others. Examples: the exponentials of a softmax, and the
/// elements of a view that takes longer to read than a tensor. Runs after `plan`, which makes the
/// passes.
///
///     sweep                                            sweep e store always
///       2: reduce total_sum, exp(sub(in, top))    →      2: e = exp(sub(in, top))
///                                                        2: reduce total_sum, e
///     sweep out store always                           sweep out store always e load
///       3: out = div(exp(sub(in, top)), total)           again 3: e = exp(sub(in, top))
///                                                        3: out = div(e, total)
///
/// A step that is marked `again` runs where there is no buffer: on GPUs, where functions take
/// little time compared with memory, and in rows that are too long.
#ifndef MSHADOW_GENERATOR_PASSES_BUFFER_H_
#define MSHADOW_GENERATOR_PASSES_BUFFER_H_

#include "ir/plan.h"

namespace mgen {

Plan Buffer(Plan plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_BUFFER_H_
