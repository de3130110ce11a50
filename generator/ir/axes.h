// SPDX-License-Identifier: Apache-2.0
/// \file axes.h
/// Some of the axes of a kernel's elements: those that a tensor of fewer dimensions has, or that a
/// reduction keeps.
#ifndef MSHADOW_GENERATOR_IR_AXES_H_
#define MSHADOW_GENERATOR_IR_AXES_H_

#include <string_view>

namespace mgen {

class Axes {
 public:
  // What stands for more than one dimension where one is asked for.
  static constexpr int kLastDim = -2;  ///< the last one, whatever the rank
  static constexpr int kRows = -3;     ///< all but the last one
  static constexpr int kRest = -10;    ///< kRest - d: all but d, which is not the last one

  /// Every axis.
  Axes() = default;
  static Axes Every() { return Axes(); }
  static Axes None() { return Axes(-1); }
  /// All but the last one.
  static Axes Rows() { return Axes(kRows); }
  static Axes Last() { return Axes(kLastDim); }
  /// One that is not the last one, of more than two.
  static Axes Only(int dim) { return Axes(dim); }
  /// All but one, which is not the last one, of more than two.
  static Axes Without(int dim) { return Axes(kRest - dim); }
  /// Those of a read that takes one element of each row: an index says which.
  static Axes Picked() { return Axes(kPicked); }

  bool is_every() const { return axes_ == kEvery; }
  bool is_none() const { return axes_ == -1; }
  bool is_rows() const { return axes_ == kRows; }
  bool is_picked() const { return axes_ == kPicked; }
  /// Whether it has the last one, but not every one.
  bool has_last() const { return axes_ == kLastDim || without() >= 0; }
  /// The one that it has alone, unless that is the last one; -1: no such.
  int only() const { return axes_ >= 0 ? axes_ : -1; }
  /// The one that it lacks alone, unless that is the last one; -1: no such.
  int without() const { return axes_ <= kRest && axes_ > kEvery ? kRest - axes_ : -1; }
  /// Whether an element is the same for all elements of a row, or of more.
  bool is_uniform() const { return is_none() || is_rows() || only() >= 0; }
  /// Whether more than a row, or a column, of memory has one element of it.
  bool has_several_rows() const { return is_none() || only() >= 0; }

  bool operator==(const Axes &other) const { return axes_ == other.axes_; }
  bool operator!=(const Axes &other) const { return axes_ != other.axes_; }
  /// The order of the operands of one tensor.
  bool operator<(const Axes &other) const;

 private:
  explicit Axes(int axes) : axes_(axes) {}

  static constexpr int kEvery = -1000, kPicked = -1001;
  int axes_ = kEvery;  // else a dimension, or -1, or as above
};

/// What IR text calls a tensor that has these axes: "row", the last one; "column", all but that;
/// "channel", one other; "rest", all but that; "one"; "gather"; "" if every axis.
std::string_view IrName(const Axes &axes);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_AXES_H_
