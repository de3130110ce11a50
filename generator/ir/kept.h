// SPDX-License-Identifier: Apache-2.0
/// \file kept.h
/// Which axes of its elements a kernel's values have.
#ifndef MSHADOW_GENERATOR_IR_KEPT_H_
#define MSHADOW_GENERATOR_IR_KEPT_H_

#include "ir/expr.h"

namespace mgen {

/// The axes that reductions keep, and that vectors have beside tensors of more dimensions. Loops
/// over kept axes lie around the others, or, where the last one is kept, each packet has values of
/// its own. A kernel without such values keeps every axis.
class Kept {
 public:
  /// Every axis.
  Kept() = default;
  static Kept None() { return Kept(-1); }
  /// All but the last one.
  static Kept Rows() { return Kept(Node::kRows); }
  static Kept Last() { return Kept(Node::kLastDim); }
  /// One that is not the last one, of more than two.
  static Kept Only(int dim) { return Kept(dim); }
  /// All but one, which is not the last one, of more than two.
  static Kept Without(int dim) { return Kept(Node::kRest - dim); }
  /// Those that a reduction keeps; every one if the node is none.
  static Kept By(const Node &node);

  bool is_every() const { return axis_ == kEvery; }
  bool is_none() const { return axis_ == -1; }
  bool is_rows() const { return axis_ == Node::kRows; }
  /// Whether the last one is kept, but not every one.
  bool has_last() const { return axis_ == Node::kLastDim || without() >= 0; }
  /// The one that is kept alone, unless it is the last one; -1: no such.
  int only() const { return axis_ >= 0 ? axis_ : -1; }
  /// The one that is not kept where all others are, unless it is the last one; -1: no such.
  int without() const { return axis_ <= Node::kRest && !is_every() ? Node::kRest - axis_ : -1; }
  /// Whether what is reduced to one value is more than a row, or a column, of memory.
  bool reduces_rows() const { return is_none() || only() >= 0; }
  /// How a value is read from an element.
  IndexMap map() const;

  bool operator==(const Kept &other) const { return axis_ == other.axis_; }
  bool operator!=(const Kept &other) const { return !(*this == other); }

 private:
  explicit Kept(int axis) : axis_(axis) {}

  static constexpr int kEvery = -1000;
  int axis_ = kEvery;  // else as Node::dim of a reduction
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_KEPT_H_
