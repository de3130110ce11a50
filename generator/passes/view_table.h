// SPDX-License-Identifier: Apache-2.0
/// \file view_table.h
/// A table of the library's functions that only move elements: for each function, where an element
/// of its result comes from. Each family of functions has its rows in a file: view_moves.cc,
/// view_repeats.cc, view_counts.cc, view_windows.cc.
#ifndef MSHADOW_GENERATOR_PASSES_VIEW_TABLE_H_
#define MSHADOW_GENERATOR_PASSES_VIEW_TABLE_H_

#include <string>
#include <vector>

#include "passes/view_arguments.h"

namespace mgen {

/// Where an element of a call's result comes from in its source.
struct Mapping {
  Sums indices;                   ///< one for each dimension of the source, in terms of the axes
  Extents shape;                  ///< the result's
  std::vector<size_t> bounded{};  ///< dimensions of the source whose index may be out of range
  /// The extents of the axes, if these are not the result's dimensions: then the row-major index of
  /// an element of the result is split by these extents.
  Sums axes{};
  /// A reducer of windows. Height and width of a window are the extents of two axes, which follow
  /// those of the result.
  std::string reducer{};
  Affine height = 1, width = 1;
  std::vector<size_t> left_out{};  ///< dimensions in which windows end at the ends of the source
  /// What must hold for an element to be one of the source; others are 0.
  std::vector<IndexedRead::Bound> where{};
  /// A vector of indices, which replace the coordinates along axis 0 of the result; -1: none.
  int rows_by = -1;
};

/// Replaces the axes in the indices and bounds of \p sources: axis d by `axes[d]`.
void ReadAt(const Sums &axes, std::vector<IndexedRead::Source> *sources);

/// The arguments of a function of patches: y and x, by themselves or for both.
struct Patch {
  Affine size[2], stride[2], dilation[2];
};
/// The arguments (…, size y, size x, stride[, dilation]), or of strides and dilations two each.
Patch PatchOf(const Arguments &args, size_t first);
/// How many patches lie along dimension y or x, of that extent.
Affine PatchesAlong(const Affine &extent, const Patch &patch, size_t i);

/// The coordinate along a dimension of the result.
Affine AxisOf(size_t dim);
/// Each of them, in order.
Sums AxesOf(size_t rank);
/// The mapping that leaves each element where it is, to be changed in some dimensions.
Mapping InPlace(const Extents &source);
/// \throws Unknown if \p source has the rank of a rule for any rank, or a rank below `least`
void RequireFixedRank(const Extents &source, size_t least);
/// \throws Unknown unless a function can name the last \p count dimensions of \p source
void RequireLast(const Extents &source, size_t count);

struct ViewRow {
  const char *name;
  /// \throws Unknown if an argument is not known before the launch
  Mapping (*mapping)(const Extents &source, const Arguments &args);
  size_t source = 0;  ///< which argument is the source
  /// Whether it repeats the source along whole dimensions, so that the source stays in cache.
  bool is_broadcast = false;
};

using ViewRows = std::vector<ViewRow>;

/// Functions that give elements other coordinates: slices, crop, pad, flip, transposes.
const ViewRows &ViewMoves();
/// Functions that read an element several times: the broadcasts, upsampling, take.
const ViewRows &ViewRepeats();
/// Functions that reduce a window to an element: pooling.
const ViewRows &ViewWindows();
/// Functions whose elements are found by their row-major index: reshape, patches.
const ViewRows &ViewCounts();

/// The row of a function.
/// \throws Unknown if it has none
const ViewRow &FindViewRow(const std::string &name);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_VIEW_TABLE_H_
