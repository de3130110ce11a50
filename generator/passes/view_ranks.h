// SPDX-License-Identifier: Apache-2.0
/// \file view_ranks.h
/// What a view reads if only the launch knows where: in a rule for any rank it names other
/// dimensions than the last, or it is a `broadcast_to`.
#ifndef MSHADOW_GENERATOR_PASSES_VIEW_RANKS_H_
#define MSHADOW_GENERATOR_PASSES_VIEW_RANKS_H_

#include "passes/view_arguments.h"

namespace mgen {

/// What a call reads.
/// \throws Unknown if it is more than elements of tensors of one rank, each at other coordinates
IndexedRead MovedReadOf(const ViewSource &source, const ViewCall &call);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_VIEW_RANKS_H_
