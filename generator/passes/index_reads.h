// SPDX-License-Identifier: Apache-2.0
/// \file index_reads.h
/// Views become reads with index expressions, where all their functions only say where an element
/// lies: flip, crop, pad, slices, permutations of dimensions and broadcasts.
#ifndef MSHADOW_GENERATOR_PASSES_INDEX_READS_H_
#define MSHADOW_GENERATOR_PASSES_INDEX_READS_H_

#include <optional>

#include "ir/plan.h"

namespace mgen {

/// A Plan whose operands say so (Operand::read). What they are is not changed: the launch still
/// makes a view's expression, and checks it.
Plan IndexReads(Plan plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_INDEX_READS_H_
