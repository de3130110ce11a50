// SPDX-License-Identifier: Apache-2.0
#include "passes/view_table.h"

namespace mgen {
namespace {

/// reshape(source, shape)
Mapping Reshape(const Extents &source, const Arguments &args) {
  Mapping to = {AxesOf(source.rank()), args.Shape(1)};
  to.axes = source.of;
  return to;
}

/// source.FlatTo1D()
Mapping FlatTo1D(const Extents &source, const Arguments &) {
  RequireFixedRank(source, 1);
  Affine size = 1;
  for (const Affine &extent : source.of) size = ProductOf(size, extent);
  return {AxesOf(source.rank()), {{size}}, {}, source.of};
}

/// source.FlatTo2D()
Mapping FlatTo2D(const Extents &source, const Arguments &) {
  RequireFixedRank(source, 1);
  if (source.rank() == 2) return InPlace(source);
  Affine rows = 1;
  for (size_t d = 0; d < source.last(); ++d) rows = ProductOf(rows, source.of[d]);
  return {AxesOf(source.rank()), {{rows, source.of.back()}}, {}, source.of};
}

/// unpack_patch2col(images, …): rows are channels and positions in a patch, columns are images and
/// patches
Mapping UnpackPatches(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 3);
  const Patch patch = PatchOf(args, 1);
  const size_t channels = source.rank() - 3;
  Mapping to;
  to.axes = {source.of[channels], patch.size[0], patch.size[1]};
  for (size_t d = 0; d < channels; ++d) {
    to.indices.push_back(AxisOf(to.axes.size()));
    to.axes.push_back(source.of[d]);
  }
  to.indices.push_back(AxisOf(0));
  for (size_t i = 0; i < 2; ++i) {
    to.indices.push_back(MultipleByLaunch(AxisOf(to.axes.size()), patch.stride[i]) +
                         MultipleByLaunch(AxisOf(1 + i), patch.dilation[i]));
    to.axes.push_back(PatchesAlong(source.of[channels + 1 + i], patch, i));
  }
  const auto product = [&to](size_t begin, size_t end) {
    Affine of = 1;
    for (size_t a = begin; a < end; ++a) of = ProductOf(of, to.axes[a]);
    return of;
  };
  to.shape = {{product(0, 3), product(3, to.axes.size())}};
  return to;
}

}  // namespace

Patch PatchOf(const Arguments &args, size_t first) {
  Patch patch;
  const size_t more = args.count() - first;
  const bool has_both = more == 6;
  if (more < 3 || more == 5 || more > 6) throw Unknown();
  for (size_t i = 0; i < 2; ++i) {
    patch.size[i] = args.Number(first + i);
    patch.stride[i] = args.Number(first + (has_both ? 2 + i : 2));
    patch.dilation[i] = more == 3 ? 1 : args.Number(first + (has_both ? 4 + i : 3));
  }
  return patch;
}

Affine PatchesAlong(const Affine &extent, const Patch &patch, size_t i) {
  const Affine reach = MultipleByLaunch(patch.size[i] - 1, patch.dilation[i]);
  return QuotientOf(extent - reach - 1, patch.stride[i]) + 1;
}

const ViewRows &ViewCounts() {
  static const ViewRows kRows = {{"reshape", Reshape},
                                 {".FlatTo1D", FlatTo1D},
                                 {".FlatTo2D", FlatTo2D},
                                 {"unpack_patch2col", UnpackPatches}};
  return kRows;
}

}  // namespace mgen
