// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "passes/view_table.h"

namespace mgen {
namespace {

/// broadcast<dim>(vector, shape)
Mapping Broadcast(const Extents &, const Arguments &args) {
  const Extents shape = args.Shape(1);
  return {{AxisOf(args.TemplateDim(0, shape))}, shape};
}

/// broadcast_scalar(vector of one, shape)
Mapping BroadcastScalar(const Extents &, const Arguments &args) { return {{0}, args.Shape(1)}; }

/// repmat(vector, rows)
Mapping Repmat(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 1);
  return {{AxisOf(1)}, {{args.Number(1), source.of[0]}}};
}

/// broadcast_keepdim(source, axis, size): of extent 1
Mapping BroadcastKeepdim(const Extents &source, const Arguments &args) {
  Mapping to = InPlace(source);
  const size_t axis = args.Dim(1, source);
  to.indices[axis] = 0;
  to.shape.of[axis] = args.Number(2);
  return to;
}

/// broadcast_multi_axes(source, axes, sizes): of extent 1
Mapping BroadcastMultiAxes(const Extents &source, const Arguments &args) {
  const Sums axes = args.Shape(1).of, sizes = args.Shape(2).of;
  RequireFixedRank(source, 1);
  if (axes.size() != sizes.size()) throw Unknown();
  Mapping to = InPlace(source);
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t d = DimOf(axes[i], source);
    to.indices[d] = 0;
    to.shape.of[d] = sizes[i];
  }
  return to;
}

/// broadcast_with_axis(source, axis, size): a new dimension after `axis`
Mapping BroadcastWithAxis(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 1);
  Mapping to = {{}, source};
  to.shape.of.push_back(args.Number(2));  // one dimension more; which one follows
  const size_t at = DimOf(args.Number(1) + 1, to.shape);
  std::rotate(to.shape.of.begin() + static_cast<ptrdiff_t>(at), to.shape.of.end() - 1,
              to.shape.of.end());
  for (size_t d = 0; d < source.rank(); ++d) to.indices.push_back(AxisOf(d < at ? d : d + 1));
  return to;
}

/// upsampling_nearest(source, scale): of images, the last two dimensions
Mapping Upsampling(const Extents &source, const Arguments &args) {
  RequireLast(source, 2);
  const Affine scale = args.Number(1);
  Mapping to = {{}, source};
  for (size_t d = 0; d < source.rank(); ++d) {
    to.indices.push_back(AxisOf(to.axes.size()));
    to.axes.push_back(source.of[d]);
    if (d + 2 < source.rank()) continue;
    to.axes.push_back(scale);
    to.shape.of[d] = ProductOf(source.of[d], scale);
  }
  return to;
}

/// take(indices, source): rows of a matrix
Mapping Take(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 2);
  Mapping to = InPlace(source);
  to.rows_by = args.Tensor(0);
  to.shape.of[0] = args.ShapeOf(to.rows_by).of[0];
  to.bounded = {0};
  return to;
}

}  // namespace

const ViewRows &ViewRepeats() {
  static const ViewRows kRows = {
      {"broadcast", Broadcast, 0, true},
      {"broadcast_scalar", BroadcastScalar, 0, true},
      {"repmat", Repmat, 0, true},
      {"broadcast_keepdim", BroadcastKeepdim, 0, true},
      {"broadcast_multi_axes", BroadcastMultiAxes, 0, true},
      {"broadcast_with_axis", BroadcastWithAxis, 0, true},
      {"upsampling_nearest", Upsampling},
      {"take", Take, 1},
  };
  return kRows;
}

}  // namespace mgen
