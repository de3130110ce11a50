// SPDX-License-Identifier: Apache-2.0
/// \file axes.h
/// A subset of the axes of a kernel's elements: those that a tensor of lower rank has, or that a
/// reduction keeps.
#ifndef MSHADOW_GENERATOR_IR_AXES_H_
#define MSHADOW_GENERATOR_IR_AXES_H_

#include <string>
#include <string_view>

namespace mgen {

class Axes {
 public:
  // Values that stand for a dimension of a tensor of any rank, or for several dimensions:
  static constexpr int kLastDim = -2;  ///< the last dimension, whatever the rank
  static constexpr int kRows = -3;     ///< all dimensions but the last
  static constexpr int kRest = -10;    ///< kRest - d: all but d, where d is not the last
  // In index expressions of rules for any rank:
  static constexpr int kFromLast = 100;  ///< kFromLast + n: the n-th dimension before the last one
  static constexpr int kBefore = 200;    ///< kBefore + n: all dimensions before that one

  /// Every axis.
  Axes() = default;
  static Axes Every() { return Axes(); }
  static Axes None() { return Axes(-1); }
  /// All but the last axis.
  static Axes Rows() { return Axes(kRows); }
  static Axes Last() { return Axes(kLastDim); }
  /// Dimension \p dim alone: not the last, in a kernel of rank 3 or more.
  static Axes Only(int dim) { return Axes(dim); }
  /// All but dimension \p dim, not the last, in a kernel of rank 3 or more.
  static Axes Without(int dim) { return Axes(kRest - dim); }
  /// The axes of a gather, which reads one element of each row: an index says which.
  static Axes Picked() { return Axes(kPicked); }

  bool is_every() const { return axes_ == kEvery; }
  bool is_none() const { return axes_ == -1; }
  bool is_rows() const { return axes_ == kRows; }
  bool is_picked() const { return axes_ == kPicked; }
  /// Whether it has the last axis, but not every axis.
  bool has_last() const { return axes_ == kLastDim || without() >= 0; }
  /// The only axis it has, unless that is the last; -1: it has more, or none.
  int only() const { return axes_ >= 0 ? axes_ : -1; }
  /// The only axis it lacks, unless that is the last; -1: it lacks more, or none.
  int without() const { return axes_ <= kRest && axes_ > kEvery ? kRest - axes_ : -1; }
  /// The axes of a kernel's elements that it lacks; not of Picked().
  Axes Others() const;
  /// "all", "none", "rows", "last", "1", "but 1": as in the text of axis(…); not of Picked().
  std::string text() const;
  /// Whether a tensor with these axes has one element for all elements of a row: the last axis is
  /// missing.
  bool is_uniform() const { return is_none() || is_rows() || only() >= 0; }
  /// Whether a tensor with these axes has one element for several rows of memory: there is no axis,
  /// or a single one, which is not the last.
  bool has_several_rows() const { return is_none() || only() >= 0; }

  bool operator==(const Axes &other) const { return axes_ == other.axes_; }
  bool operator!=(const Axes &other) const { return axes_ != other.axes_; }
  /// Orders the operands of one tensor.
  bool operator<(const Axes &other) const;

 private:
  explicit Axes(int axes) : axes_(axes) {}

  static constexpr int kEvery = -1000, kPicked = -1001;
  int axes_ = kEvery;  // or kPicked, -1 for none, a dimension, or a value from above
};

/// A dimension as IR text has it: "1", "last", "rows" or "but 1", for a number that Axes explains.
std::string DimText(int dim);

/// What IR text calls a tensor with these axes: "row" with the last axis, "column" with all but the
/// last, "channel" with a single axis other than the last, "rest" with all axes but such a one,
/// "one" with none, "gather" if picked, "" with every axis.
std::string_view IrName(const Axes &axes);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_AXES_H_
