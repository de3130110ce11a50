// SPDX-License-Identifier: Apache-2.0
/// \file indexed_read.h
/// A read with an index expression for each dimension of the tensor. A view is such a read if all
/// of its functions only move elements.
#ifndef MSHADOW_GENERATOR_IR_INDEXED_READ_H_
#define MSHADOW_GENERATOR_IR_INDEXED_READ_H_

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "ir/affine.h"
#include "ir/view.h"

namespace mgen {

struct IndexedRead {
  /// A source has an element only where 0 <= index < extent. Where no source has one, the read
  /// returns 0.
  struct Bound {
    Affine index;
    Affine extent;
    bool leaves_out = false;  ///< true: windows leave out elements outside; false: these are 0
  };

  struct Source {
    int tensor;  ///< index into Rule::params; -1: the elements are those of `inner`
    /// An index for each dimension of the tensor. In a rule for any rank, a tensor of the rule's
    /// rank has those of some of its last dimensions, and before them one for all others together:
    /// with the last dimension alone, the index of its row. Each depends on at most one axis, with
    /// factor 1 or -1. If the read is counted or has a reducer, an index may depend on two axes,
    /// with any factors.
    std::vector<Affine> indices;
    std::vector<Bound> bounds;
    /// A parameter (index into Rule::params) that is a vector v of indices: v[axis(0)] takes the
    /// place of axis(0). -1: none.
    int rows_by = -1;
    /// If the elements are those of another view, `mirror(pool<red::sum>(in, 2, 2, 2))`: its read,
    /// and its extents. The indices are coordinates in that view.
    std::vector<IndexedRead> inner{};
    std::vector<Affine> inner_extents{};
  };
  static constexpr size_t kMostAxes = 16;

  /// Windows along a dimension: window p begins at p * stride, for 0 <= p < count. Its elements are
  /// `dilation` apart.
  struct Windows {
    Affine place;  ///< the coordinate of the element that they hold, in terms of the axes
    Affine size, stride, dilation, count;
  };
  /// The windows that hold an element. The read is a sum over them, from the first row to the last,
  /// one after the other: of gradients (unpool), or of elements of columns (pack_col2patch).
  struct Holding {
    Windows rows, columns;
    /// Of the gradient of a pool: `mshadow::red::sum` and so on. The sources are what was pooled,
    /// the gradients of the results, and unless it is a sum the results. The last two axes are
    /// those of the windows.
    std::string reducer{};
    /// Without a reducer there is one source, a matrix. Its `indices` are the channel and the
    /// image, from which the row and the column follow.
    bool is_gradient() const { return !reducer.empty(); }
  };

  /// What a function reads if only the launch knows where: the rule is for any rank, and the
  /// function names other dimensions than the last, or it is `broadcast_to`.
  struct Moved {
    std::string move;       ///< a function of MovedTensors, or "Joined"; "": a tensor in place
    std::vector<int> dims;  ///< that it names; below 0 counted from the end: -1 is the last
    std::vector<Affine> numbers;  ///< what else it takes
    std::vector<Moved> of;        ///< what it reads: one, or for "Joined" two
    int tensor = -1;              ///< of a tensor in place: index into Rule::params
    int shape = -1;               ///< the tensor whose shape it takes; -1: none

    /// Whether this, or what it reads, is a move of that name.
    bool Has(const std::string &name) const {
      const auto has = [&name](const Moved &source) { return source.Has(name); };
      return move == name || std::any_of(of.begin(), of.end(), has);
    }
  };

  /// The first source that has an element is read. A concatenation of two tensors has two sources.
  std::vector<Source> sources;
  std::vector<Affine> extents;  ///< of each axis
  /// Whether the axes are not the view's dimensions: the row-major index of an element is split by
  /// the extents of the axes. `reshape(in, shape)` has the axes of `in`.
  bool is_counted = false;
  /// If is_counted: how often each element is repeated, one repetition after the other.
  int64_t times = 1;
  /// If it is not empty, the last two axes are those of a window: `mshadow::red::sum` and so on
  /// reduces the elements of the window, row by row, one after the other.
  std::string reducer{};
  bool squares = false;  ///< each element of a window is squared before it is reduced
  std::optional<Holding> holding{};
  /// If it is set, it says where the elements of the sources are, and there are no indices, bounds
  /// or extents.
  std::optional<Moved> moved{};

  /// If it is set, there are no sources: the kernel evaluates the Plan of this expression, which is
  /// a part of the view's.
  std::optional<View> computed{};
  bool has_rank_of_rule = false;  ///< of `computed`: whether the rule is for any rank, and it, too

  /// Whether a vector of indices names the rows that are read.
  bool is_gathered() const {
    return std::any_of(sources.begin(), sources.end(), [](const Source &source) {
      return source.rows_by >= 0 || (source.tensor < 0 && source.inner.front().is_gathered());
    });
  }
  /// Whether it reads another view.
  bool is_nested() const {
    return std::any_of(sources.begin(), sources.end(),
                       [](const Source &source) { return source.tensor < 0; });
  }
  /// Whether it combines elements or reads another view, and so computes packets of elements.
  bool computes_packets() const {
    return is_nested() || !reducer.empty() || holding.has_value();
  }
  /// Whether each element is one of a tensor, found by the indices alone.
  bool is_plain() const {
    return !is_counted && reducer.empty() && !holding && !moved && sources.size() == 1 &&
           !is_nested() && !is_gathered();
  }
  /// Whether the last two axes are those of a window, and not the view's.
  bool has_window() const {
    return !reducer.empty() || (holding.has_value() && holding->is_gradient());
  }
  /// How many axes are the view's own.
  size_t rank() const { return extents.size() - (has_window() ? 2 : 0); }
};

/// Calls `visit(const IndexedRead &)` for a read and for those of the views that it reads,
/// innermost first.
template <typename Visit>
void ForEachRead(const IndexedRead &read, const Visit &visit) {
  for (const IndexedRead::Source &source : read.sources) {
    for (const IndexedRead &inner : source.inner) ForEachRead(inner, visit);
  }
  visit(read);
}

/// Calls `visit(const Affine &)` for every number of a move, and of what it reads.
template <typename Visit>
void ForEachNumber(const IndexedRead::Moved &moved, const Visit &visit) {
  for (const Affine &number : moved.numbers) visit(number);
  for (const IndexedRead::Moved &source : moved.of) ForEachNumber(source, visit);
}

/// Calls `visit(const Affine &)` for every index, bound and extent of a read.
template <typename Visit>
void ForEachNumber(const IndexedRead &read, const Visit &visit) {
  for (const IndexedRead::Source &source : read.sources) {
    for (const Affine &index : source.indices) visit(index);
    for (const IndexedRead::Bound &bound : source.bounds) {
      visit(bound.index);
      visit(bound.extent);
    }
    for (const Affine &extent : source.inner_extents) visit(extent);
    for (const IndexedRead &inner : source.inner) ForEachNumber(inner, visit);
  }
  for (const Affine &extent : read.extents) visit(extent);
  if (read.moved) ForEachNumber(*read.moved, visit);
  if (!read.holding) return;
  for (const IndexedRead::Windows *windows : {&read.holding->rows, &read.holding->columns}) {
    for (const Affine *number :
         {&windows->place, &windows->size, &windows->stride, &windows->dilation, &windows->count}) {
      visit(*number);
    }
  }
}

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_INDEXED_READ_H_
