// SPDX-License-Identifier: Apache-2.0
/// \file reduced_axes.h
/// Reductions of one axis or several, reduce_with_axis, reduce_keepdim and reduce_multi_axes, that
/// kernels of their own can compute: one kernel for each axis, in the order of the runtime. The
/// Materialiser makes these kernels. All other reductions of axes are views.
#ifndef MSHADOW_GENERATOR_FRONTEND_REDUCED_AXES_H_
#define MSHADOW_GENERATOR_FRONTEND_REDUCED_AXES_H_

#include <optional>
#include <string>
#include <vector>

#include "frontend/lower_tensor.h"

namespace mgen {

struct ReducedAxes {
  const clang::Expr *source;      ///< what is reduced
  std::vector<ReducedAxis> axes;  ///< in the order in which they are reduced
  Op op;
};

/// Whether the function `name` is reduce_with_axis, reduce_keepdim or reduce_multi_axes.
bool ReducesAxes(const std::string &name);

/// Whether an axis is reduced in `e`.
bool ReducesAxes(const clang::Stmt *e);

/// How kernels of their own compute `e`. Nothing if `e` is no such reduction, in a rule for any
/// rank, if the reduction gives indices or has a reducer of the spec's own, or if none of the
/// rule's tensors has the elements that are reduced.
std::optional<ReducedAxes> ReducedAxesOf(TensorLowering &tensors, const clang::Expr *e);

/// Axis `number` of a rank of at least 2, which is reduced.
ReducedAxis AxisOfRank(int number, int rank, bool keeps_dimension);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_REDUCED_AXES_H_
