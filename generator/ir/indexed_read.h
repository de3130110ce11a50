// SPDX-License-Identifier: Apache-2.0
/// \file indexed_read.h
/// A read with an index expression for each dimension of the tensor: what a view is whose functions
/// only say where an element lies.
#ifndef MSHADOW_GENERATOR_IR_INDEXED_READ_H_
#define MSHADOW_GENERATOR_IR_INDEXED_READ_H_

#include <string>
#include <vector>

#include "ir/affine.h"

namespace mgen {

struct IndexedRead {
  /// Where not 0 <= index < extent a source has no element. Where none has one the value is 0.
  struct Bound {
    Affine index;
    Affine extent;
    bool leaves_out = false;  ///< of a window: what is outside is no element of it, and no 0
  };

  struct Source {
    int tensor;  ///< index into Rule::params
    /// One for each dimension of the tensor, over at most one axis each: itself, or taken off. If
    /// the elements are counted, or reduced, also over a sum of multiples of two axes. Of a tensor
    /// of a rule's rank, which is for any, there are two: the row, and the last.
    std::vector<Affine> indices;
    std::vector<Bound> bounds;
    /// A vector of indices, as an index into Rule::params: its element stands for the coordinate
    /// along axis 0. -1: none.
    int rows_by = -1;
  };
  static constexpr size_t kMostAxes = 16;

  /// The first that has an element is read: two tensors of a concatenation are two.
  std::vector<Source> sources;
  std::vector<Affine> extents;  ///< of each axis
  /// The axes are not the view's dimensions: the number of an element, in row-major order, is split
  /// by their extents. `reshape(in, shape)` has the axes of `in`.
  bool is_counted = false;
  /// If they are counted: how often each element is repeated, one repetition after the other.
  int64_t times = 1;
  /// If it is not empty, the last two axes are those of a window: `mshadow::red::sum` and so on
  /// reduces the elements of the window, row by row, one after the other.
  std::string reducer{};
  bool squares = false;  ///< each element of a window is multiplied by itself before
};

/// Calls `visit(const Affine &)` for every index, bound and extent of a read.
template <typename Visit>
void ForEachNumber(const IndexedRead &read, const Visit &visit) {
  for (const IndexedRead::Source &source : read.sources) {
    for (const Affine &index : source.indices) visit(index);
    for (const IndexedRead::Bound &bound : source.bounds) {
      visit(bound.index);
      visit(bound.extent);
    }
  }
  for (const Affine &extent : read.extents) visit(extent);
}

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_INDEXED_READ_H_
