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
  /// Where not 0 <= index < extent there is no element, and the value is 0.
  struct Bound {
    Affine index;
    Affine extent;
  };

  int tensor;  ///< index into Rule::params
  /// Of a tensor of a rule's rank, which is for any, there are two: the row, and the last.
  /// One for each dimension of the tensor, over at most one axis each: itself, or taken off.
  std::vector<Affine> indices;
  std::vector<Bound> bounds;
  std::vector<Affine> shape;  ///< of the view: an extent for each axis
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_INDEXED_READ_H_
