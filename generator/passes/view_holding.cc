// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "passes/view_read.h"

namespace mgen {
namespace {

/// The reducer of a pool, if kernels can compute its gradient in packets. The gradient of a product
/// is a quotient, which a lane without a window must not compute.
std::string ReducerOfGradient(const Arguments &args) {
  const std::string reducer = args.Reducer();
  if (reducer == "mshadow::red::product") throw Unknown();
  return reducer;
}

/// Windows of one element each along a dimension that is not pooled.
IndexedRead::Windows EachElement(const Affine &place, const Affine &count) {
  return {place, 1, 1, 1, count};
}

bool IsForwards(const Affine &index, int axis) { return index.FactorOfAxis(axis) == 1; }

/// \throws Unknown unless a kernel finds each row once and loads it forwards
void RequireRows(const Read &read) {
  const int last = static_cast<int>(read.shape.last());
  const IndexedRead::Holding &holding = *read.holding;
  const bool has_rows =
      IsForwards(holding.columns.place, last) && holding.rows.place.FactorOfAxis(last) == 0;
  if (!has_rows) throw Unknown();
  if (!holding.is_gradient()) return;
  if (!GoesForwards(read.sources.front().indices, last)) throw Unknown();
  for (size_t i = 1; i < read.sources.size(); ++i) {
    if (!GoesForwards(read.sources[i].indices, last + 2)) throw Unknown();
  }
}

/// The read itself if it is of a tensor, with rows that kernels can load in packets; otherwise the
/// elements of its view.
Read InRows(const Read &read, bool may_have_bounds) {
  const int last = static_cast<int>(read.shape.last());
  const bool is_in_rows = read.is_of_tensor() && GoesForwards(read.sources[0].indices, last) &&
                          (may_have_bounds || read.sources[0].bounds.empty());
  return is_in_rows ? read : ElementsOf(read);
}

/// The gradient of a pool. Its windows of rows lie along dimension `rows_dim`.
Read ReadOfGradient(const ReadOfArgument &read_of, const std::string &reducer, size_t rows_dim,
                    IndexedRead::Windows rows, IndexedRead::Windows columns) {
  Read read = InRows(read_of(0), true);
  const size_t last = read.shape.last();
  Sums axes = AxesOf(read.shape.rank());
  axes[rows_dim] = AxisOf(last + 1);
  axes[last] = AxisOf(last + 2);
  std::vector<Read> of_windows = {InRows(read_of(2), false)};
  // For a sum the pooled values do not matter: each element takes all gradients.
  if (reducer != "mshadow::red::sum") of_windows.push_back(InRows(read_of(1), false));
  for (Read &each : of_windows) {
    if (each.shape.rank() != read.shape.rank()) throw Unknown();
    ReadAt(axes, &each.sources);
    read.sources.push_back(each.sources.front());
  }
  rows.count = of_windows.front().shape.of[rows_dim];
  columns.count = of_windows.front().shape.of[last];
  read.SetAxesOfWindow(rows.count, columns.count);
  read.holding = {std::move(rows), std::move(columns), reducer};
  RequireRows(read);
  return read;
}

/// What replaces the axes of windows that are read through a function: its indices, and then the
/// two axes of a window.
/// \throws Unknown unless the function only gives elements other coordinates
Sums AxesOfMovedWindows(const Mapping &to) {
  const bool only_moves =
      to.reducer.empty() && to.axes.empty() && to.bounded.empty() && to.rows_by < 0;
  if (!only_moves) throw Unknown();
  Sums axes = to.indices;
  for (size_t i = 0; i < 2; ++i) axes.push_back(AxisOf(to.shape.rank() + i));
  return axes;
}

}  // namespace

bool GoesForwards(const Sums &indices, int axis) {
  return IsForwards(indices.back(), axis) &&
         std::none_of(indices.begin(), indices.end() - 1,
                      [axis](const Affine &index) { return index.FactorOfAxis(axis) != 0; });
}

Read ReadOfUnpool(const ReadOfArgument &read_of, const Arguments &args) {
  const Extents shape = read_of(0).shape;
  RequireLast(shape, 2);
  const size_t last = shape.last();
  const bool has_both = args.Has(6);
  const auto along = [&](size_t i) -> IndexedRead::Windows {
    const Affine dilation = args.Has(7) ? args.Number(7 + i) : 1;
    const Affine stride = args.Number(has_both ? 5 + i : 5);
    return {AxisOf(last - 1 + i), args.Number(3 + i), stride, dilation, 0};
  };
  return ReadOfGradient(read_of, ReducerOfGradient(args), last - 1, along(0), along(1));
}

Read ReadOfChannelUnpool(const ReadOfArgument &read_of, const Arguments &args) {
  const Extents shape = read_of(0).shape;
  RequireLast(shape, 3);
  const size_t channel = shape.last() - 2;
  const Affine size = args.Number(3);
  const Affine pad = args.Has(4) ? args.Number(5) : QuotientOf(size, 2);
  const Affine stride = args.Has(4) ? args.Number(4) : 1;
  return ReadOfGradient(read_of, ReducerOfGradient(args), channel,
                        {AxisOf(channel) + pad, size, stride, 1, 0},
                        EachElement(AxisOf(shape.last()), 0));
}

Read ReadOfPack(const ReadOfArgument &read_of, const Arguments &args) {
  Read read = read_of(0);
  if (read.sources.empty()) throw Unknown();
  const IndexedRead::Source &matrix = read.sources.front();
  const bool is_tensor =
      read.is_of_tensor() && matrix.bounds.empty() && matrix.indices == AxesOf(2);
  read.shape = args.Shape(1);
  RequireFixedRank(read.shape, 3);
  if (!is_tensor || read.shape.rank() > 4) throw Unknown();
  const size_t channel = read.shape.last() - 2;
  const Patch patch = PatchOf(args, 2);
  const auto along = [&](size_t i) -> IndexedRead::Windows {
    return {AxisOf(channel + 1 + i), patch.size[i], patch.stride[i], patch.dilation[i],
            PatchesAlong(read.shape.of[channel + 1 + i], patch, i)};
  };
  read.holding = {along(0), along(1)};
  read.sources.front().indices = {AxisOf(channel), channel == 0 ? Affine(0) : AxisOf(0)};
  return read;
}

Read MovedHolding(Read read, Mapping to) {
  const Sums axes = AxesOfMovedWindows(to);
  ReadAt(axes, &read.sources);
  for (IndexedRead::Windows *along : {&read.holding->rows, &read.holding->columns}) {
    along->place = along->place.At(axes);
  }
  read.shape = std::move(to.shape);
  const IndexedRead::Holding &holding = *read.holding;
  if (holding.is_gradient()) read.SetAxesOfWindow(holding.rows.count, holding.columns.count);
  RequireRows(read);
  return read;
}

}  // namespace mgen
