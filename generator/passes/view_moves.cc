// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <utility>

#include "passes/view_table.h"

namespace mgen {
namespace {

/// flip(source, dim)
Mapping Flip(const Extents &source, const Arguments &args) {
  Mapping to = InPlace(source);
  const size_t dim = args.Dim(1, source);
  to.indices[dim] = source.of[dim] - 1 - AxisOf(dim);
  return to;
}

/// mirror(source): of the last dimension
Mapping Mirror(const Extents &source, const Arguments &) {
  Mapping to = InPlace(source);
  to.indices.back() = source.of.back() - 1 - to.indices.back();
  return to;
}

Mapping Range(const Extents &source, size_t dim, const Affine &begin, const Affine &end) {
  Mapping to = InPlace(source);
  to.indices[dim] = to.indices[dim] + begin;
  to.shape.of[dim] = end - begin;
  return to;
}

/// slice(source, begins, ends)
Mapping SliceOfAll(const Extents &source, const Arguments &args) {
  const Sums begins = args.Shape(1).of, ends = args.Shape(2).of;
  RequireFixedRank(source, 1);
  if (begins.size() != source.rank() || ends.size() != source.rank()) throw Unknown();
  Mapping to = InPlace(source);
  for (size_t d = 0; d < source.rank(); ++d) {
    to.indices[d] = to.indices[d] + begins[d];
    to.shape.of[d] = ends[d] - begins[d];
  }
  return to;
}

/// slice<dim>(source, begin, end), or of all dimensions
Mapping Slice(const Extents &source, const Arguments &args) {
  if (!args.HasTemplateArgs()) return SliceOfAll(source, args);
  return Range(source, args.TemplateDim(0, source), args.Number(1), args.Number(2));
}

/// source.Slice(begin, end)
Mapping SliceMember(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 1);
  return Range(source, 0, args.Number(1), args.Number(2));
}

/// source[index]
Mapping Subscript(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 2);
  Mapping to = {{args.Number(1)}, {{source.of.begin() + 1, source.of.end()}}};
  for (size_t d = 1; d < source.rank(); ++d) to.indices.push_back(AxisOf(d - 1));
  return to;
}

/// crop(source, shape, y, x), or from the middle crop(source, shape)
Mapping Crop(const Extents &source, const Arguments &args) {
  const Sums shape = args.Shape(1).of;
  RequireLast(source, 2);
  if (shape.size() != 2) throw Unknown();
  Mapping to = InPlace(source);
  for (size_t i = 0; i < 2; ++i) {
    const size_t d = source.rank() - 2 + i;
    const Affine first = args.Has(2) ? args.Number(2 + i) : QuotientOf(source.of[d] - shape[i], 2);
    to.indices[d] = to.indices[d] + first;
    to.shape.of[d] = shape[i];
  }
  return to;
}

/// pad(source, size), or pad(source, y, x)
Mapping Pad(const Extents &source, const Arguments &args) {
  RequireLast(source, 2);
  Mapping to = InPlace(source);
  for (size_t i = 0; i < 2; ++i) {
    const size_t d = source.rank() - 2 + i;
    const Affine size = args.Number(args.Has(2) ? 1 + i : 1);
    if (size == 0) continue;
    to.indices[d] = to.indices[d] - size;
    to.shape.of[d] = source.of[d] + size + size;
    to.bounded.push_back(d);
  }
  return to;
}

/// The source with other dimensions: dimension d is its dimension `axes[d]`.
Mapping Permuted(const Extents &source, const std::vector<size_t> &axes) {
  Mapping to = {Sums(source.rank()), {{}, source.is_for_any_rank}};
  for (size_t d = 0; d < axes.size(); ++d) {
    to.indices[axes[d]] = AxisOf(d);
    to.shape.of.push_back(source.of[axes[d]]);
  }
  return to;
}

/// source.T()
Mapping Transposed(const Extents &source, const Arguments &) {
  RequireFixedRank(source, 2);
  return Permuted(source, {1, 0});
}

/// swapaxis<a, b>(source)
Mapping SwapAxis(const Extents &source, const Arguments &args) {
  std::vector<size_t> axes;
  for (size_t d = 0; d < source.rank(); ++d) axes.push_back(d);
  std::swap(axes[args.TemplateDim(0, source)], axes[args.TemplateDim(1, source)]);
  return Permuted(source, axes);
}

/// transpose(source, axes)
Mapping Transpose(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 1);
  std::vector<size_t> axes;
  std::set<size_t> seen;
  for (const Affine &axis : args.Shape(1).of) {
    axes.push_back(DimOf(axis, source));
    seen.insert(axes.back());
  }
  if (axes.size() != source.rank() || seen.size() != axes.size()) throw Unknown();
  return Permuted(source, axes);
}

/// diag(source): of a square matrix. Of a vector of n elements: the elements of an n x n matrix are
/// counted in rows of n + 1, of which the first ones are the vector's.
Mapping Diag(const Extents &source, const Arguments &) {
  RequireFixedRank(source, 1);
  const Affine &size = source.of[0];
  if (source.rank() == 2) return {{AxisOf(0), AxisOf(0)}, {{size}}};
  Mapping to = {{AxisOf(0)}, {{size, size}}};
  to.axes = {size, size + 1};
  to.where = {{AxisOf(1), 1}};
  return to;
}

}  // namespace

const ViewRows &ViewMoves() {
  static const ViewRows kRows = {
      {"flip", Flip},
      {"mirror", Mirror},
      {"slice", Slice},
      {".Slice", SliceMember},
      {"[]", Subscript},
      {"crop", Crop},
      {"pad", Pad},
      {".T", Transposed},
      {"swapaxis", SwapAxis},
      {"transpose", Transpose},
      {"diag", Diag},
  };
  return kRows;
}

}  // namespace mgen
