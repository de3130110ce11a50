// SPDX-License-Identifier: Apache-2.0
/// \file view_read.h
/// What an expression of a view reads, and how functions of several expressions combine that.
#ifndef MSHADOW_GENERATOR_PASSES_VIEW_READ_H_
#define MSHADOW_GENERATOR_PASSES_VIEW_READ_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "passes/view_table.h"

namespace mgen {

/// A read that is not complete: `extents`, `is_counted` and `times` follow from these.
struct Read : IndexedRead {
  Extents shape;
  Sums axes;  ///< the extents of the axes, if these are not the dimensions of `shape`

  /// Whether each element is one of a tensor, at coordinates that follow from its own.
  bool is_of_tensor() const { return has_rows() && sources.size() == 1 && sources[0].tensor >= 0; }
  /// Whether each element is one of a source, at coordinates that follow from its own.
  bool has_rows() const {
    return !sources.empty() && axes.empty() && sources.front().rows_by < 0 && !holding;
  }
  /// Sets the extents of the axes: those of `shape`, and then those of a window.
  void SetAxesOfWindow(const Affine &height, const Affine &width) {
    axes = shape.of;
    axes.push_back(height);
    axes.push_back(width);
  }
  /// Whether the row-major index of an element is split into coordinates.
  bool counts() const { return !axes.empty() && !has_window(); }
};

/// Returns what an argument of a call reads.
/// \throws Unknown if that is not known
using ReadOfArgument = std::function<Read(size_t argument)>;

/// unpool(source, pooled, gradient, …), ch_unpool(…)
/// \throws Unknown unless all three have the same rank
Read ReadOfUnpool(const ReadOfArgument &read_of, const Arguments &args);
Read ReadOfChannelUnpool(const ReadOfArgument &read_of, const Arguments &args);
/// pack_col2patch(matrix, shape, …)
/// \throws Unknown unless the matrix is a tensor, and the images have at most one axis before
///     the channels
Read ReadOfPack(const ReadOfArgument &read_of, const Arguments &args);

/// The elements of a view in place, as those of a tensor.
/// \throws Unknown if no kernel can load them
Read ElementsOf(const Read &view);

/// Whether, of these indices, only the last one has the axis, with a factor of 1.
bool GoesForwards(const Sums &indices, int axis);

/// What a view reads if a function gives the elements of `read` other coordinates.
/// \throws Unknown unless rows stay rows
Read MovedHolding(Read read, Mapping to);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_VIEW_READ_H_
