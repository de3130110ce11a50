// SPDX-License-Identifier: Apache-2.0
/// \file index_reads.h
/// Turns views into reads with index expressions, if all their functions only say where elements
/// lie (view_table.h), or reduce windows of such elements.
#ifndef MSHADOW_GENERATOR_PASSES_INDEX_READS_H_
#define MSHADOW_GENERATOR_PASSES_INDEX_READS_H_

#include <optional>

#include "ir/plan.h"

namespace mgen {

/// Returns the Plan with Operand::read set. The operands stay views: a launch still makes their
/// expressions, and checks them.
Plan IndexReads(Plan plan);

/// Whether a CPU takes longer to read the elements of a view than those of a tensor: it computes
/// them, or counts them to find where they lie.
bool IsSlowToRead(const Plan &plan, const View &view);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_INDEX_READS_H_
