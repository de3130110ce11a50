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

struct Read {
  std::vector<IndexedRead::Source> sources;  ///< over `axes`
  Extents shape;
  Sums axes;              ///< the extents of the axes, if these are not the dimensions of `shape`
  bool squares = false;   ///< each element is multiplied by itself
  std::string reducer{};  ///< of windows, whose axes are the last two of `axes`
  std::optional<IndexedRead::Holding> holding{};
  std::vector<Read> inner{};  ///< one read, if the source is another view; otherwise none
  std::vector<Expr> range{};  ///< of a range; then there are no sources

  /// Whether each element is one of a source, at coordinates that follow from its own.
  bool is_only_moved() const {
    return axes.empty() && !squares && sources.front().rows_by < 0 && !holding && inner.empty();
  }
  /// Whether the last two axes are those of a window, after those of `shape`.
  bool has_window() const { return !reducer.empty() || (holding && holding->is_gradient()); }
  /// Sets the extents of the axes: those of `shape`, and then those of a window.
  void SetAxesOfWindow(const Affine &height, const Affine &width) {
    axes = shape.of;
    axes.push_back(height);
    axes.push_back(width);
  }
  /// Whether the row-major index of an element is split into coordinates.
  bool is_counted() const { return !axes.empty() && !has_window(); }
};

/// Returns what an argument of a call reads.
/// \throws Unknown if that is not known
using ReadOfArgument = std::function<Read(size_t argument)>;

/// unpool(source, pooled, gradient, …), ch_unpool(…)
/// \throws Unknown unless kernels can load rows of all three in packets
Read ReadOfUnpool(const ReadOfArgument &read_of, const Arguments &args);
Read ReadOfChannelUnpool(const ReadOfArgument &read_of, const Arguments &args);
/// pack_col2patch(matrix, shape, …)
/// \throws Unknown unless the matrix is a tensor, and the images have at most one axis before
///     the channels
Read ReadOfPack(const ReadOfArgument &read_of, const Arguments &args);

/// What a view reads if a function gives the elements of `read` other coordinates.
/// \throws Unknown unless rows stay rows
Read MovedHolding(Read read, Mapping to);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_VIEW_READ_H_
