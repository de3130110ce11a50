// SPDX-License-Identifier: Apache-2.0
/// \file fuse_sweeps.h
/// Pass `fuse_sweeps`: where one kernel reduces columns and another goes over the rows of the same
/// matrix, lets the latter reduce the columns, too, so that a launch reads memory once for both.
#ifndef MSHADOW_GENERATOR_PASSES_FUSE_SWEEPS_H_
#define MSHADOW_GENERATOR_PASSES_FUSE_SWEEPS_H_

#include "ir/plan.h"

namespace mgen {

/// Adds the first pass of the kernel that reduces columns to a pass of the kernel with values of
/// rows. This pass computes the leaves of the reductions: a result for each kColumnLeaf rows
/// (Plan::leaves). The kernel that reduces columns combines these leaves in its own order, so the
/// bits stay the same. It keeps its own first pass for launches in which that is faster, or whose
/// arguments overlap. Does nothing unless
///   * the pass reduces, stores nothing, and reads only what the other kernel reads or writes at
///     the same coordinates, but no views, gathers or indices of elements;
///   * neither kernel needs what the other one writes for other rows;
///   * both run in every launch, and the kernel that reduces columns has no conditions.
/// \param first, second the Plans of two kernels of a rule, before `share`; no product or kernel is
///     between them
void FuseSweeps(Plan *first, Plan *second);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_FUSE_SWEEPS_H_
