// SPDX-License-Identifier: Apache-2.0
/// \file indexed_read.h
/// A read with an index expression for each dimension of the tensor: what a view is whose functions
/// only say where an element lies.
#ifndef MSHADOW_GENERATOR_IR_INDEXED_READ_H_
#define MSHADOW_GENERATOR_IR_INDEXED_READ_H_

#include <vector>

#include "ir/affine.h"

namespace mgen {

struct IndexedRead {
  /// Where not 0 <= index < extent a source has no element. Where none has one the value is 0.
  struct Bound {
    Affine index;
    Affine extent;
  };

  struct Source {
    int tensor;  ///< index into Rule::params
    /// One for each dimension of the tensor, over at most one axis each: itself, or taken off. Of a
    /// tensor of a rule's rank, which is for any, there are two: the row, and the last.
    std::vector<Affine> indices;
    std::vector<Bound> bounds;
  };

  /// The first that has an element is read: two tensors of a concatenation are two.
  std::vector<Source> sources;
  std::vector<Affine> shape;  ///< of the view: an extent for each axis
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
  for (const Affine &extent : read.shape) visit(extent);
}

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_INDEXED_READ_H_
