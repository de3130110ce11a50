// SPDX-License-Identifier: Apache-2.0
#include "passes/index_reads.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/view_call.h"
#include "passes/view_table.h"

namespace mgen {
namespace {

/// What an expression reads.
struct Read {
  std::vector<IndexedRead::Source> sources;  ///< over `axes`
  Extents shape;
  Sums axes;              ///< the extents of the axes, if these are not the dimensions of `shape`
  bool squares = false;   ///< each element is multiplied by itself
  std::string reducer{};  ///< of windows, whose axes are the last two of `axes`
};

/// Says of what was read over a source's axes where it is read, these being `axes`.
void ReadAt(const Sums &axes, std::vector<IndexedRead::Source> *sources) {
  for (IndexedRead::Source &source : *sources) {
    for (Affine &index : source.indices) index = index.At(axes);
    for (IndexedRead::Bound &bound : source.bounds) bound.index = bound.index.At(axes);
  }
}

/// Says that there are only elements where an index is one.
void Bind(const IndexedRead::Bound &bound, std::vector<IndexedRead::Source> *sources) {
  for (IndexedRead::Source &source : *sources) source.bounds.push_back(bound);
}

/// Whether the elements are counted, and their number is split into coordinates.
bool IsCounted(const Read &read) { return !read.axes.empty() && read.reducer.empty(); }
/// Whether a vector of indices names the rows that are read.
bool IsGathered(const Read &read) { return read.sources.front().rows_by >= 0; }
/// Whether each element is one of a source, at coordinates that follow from its own.
bool IsOnlyMoved(const Read &read) {
  return read.axes.empty() && !read.squares && !IsGathered(read);
}

Read ReadOfCall(const Plan &plan, const View &view, const ViewCall &call);

/// concat<dim>(left, right)
Read ReadOfConcat(const Plan &plan, const View &view, const ViewCall &call) {
  Read left = ReadOfCall(plan, view, call.args.at(0));
  Read right = ReadOfCall(plan, view, call.args.at(1));
  for (const Read *read : {&left, &right}) {
    if (!IsOnlyMoved(*read)) throw Unknown();
  }
  const size_t dim = Arguments(plan, view, call).TemplateDim(0, left.shape);
  Sums axes = AxesOf(left.shape.rank());
  Bind({axes[dim], left.shape.of[dim]}, &left.sources);
  axes[dim] = axes[dim] - left.shape.of[dim];
  ReadAt(axes, &right.sources);
  Bind({axes[dim], right.shape.of[dim]}, &right.sources);
  left.shape.of[dim] = left.shape.of[dim] + right.shape.of[dim];
  left.sources.insert(left.sources.end(), right.sources.begin(), right.sources.end());
  return left;
}

/// Windows of what was read.
/// \throws Unknown unless kernels can load a row of a window in packets
Read WindowsOf(Read read, Mapping to) {
  const bool has_elements = read.axes.empty() && !IsGathered(read);
  if (!has_elements || read.sources.size() > 1) throw Unknown();
  IndexedRead::Source &source = read.sources.front();
  ReadAt(to.indices, &read.sources);
  for (const size_t dim : to.left_out) {
    Bind({to.indices[dim], read.shape.of[dim], true}, &read.sources);
  }
  const int last = static_cast<int>(to.shape.last()), height = last + 1, width = last + 2;
  const auto has = [](const Affine &index, int axis) { return index.FactorOfAxis(axis) != 0; };
  const auto is_of_row = [&](const Affine &index) {
    return !has(index, last) && !has(index, width);
  };
  // A row is loaded forwards, and each column of a window is the element behind the one before.
  const Affine &along = source.indices.back();
  const bool is_forwards = along.FactorOfAxis(last) >= 1 && !has(along, height) &&
                           along.FactorOfAxis(width) == (to.width == 1 ? 0 : 1) &&
                           std::all_of(source.indices.begin(), source.indices.end() - 1, is_of_row);
  int rows = 0, columns = 0, left_out = 0;
  for (const IndexedRead::Bound &bound : source.bounds) {
    const bool goes_up = !has(bound.index, height) || bound.index.FactorOfAxis(height) == 1;
    const bool is_along = bound.index - along == bound.index.constant() - along.constant();
    if (!goes_up || !(is_of_row(bound.index) || is_along)) throw Unknown();
    ++(bound.leaves_out ? left_out : is_of_row(bound.index) ? rows : columns);
  }
  if (!is_forwards || rows > 1 || columns > 1 || left_out > 1) throw Unknown();
  read.reducer = std::move(to.reducer);
  read.axes = to.shape.of;
  read.axes.push_back(to.height);
  read.axes.push_back(to.width);
  read.shape = std::move(to.shape);
  return read;
}

/// Says of what was read where it is read through a function of the table.
/// \throws Unknown if the two together are none of the forms that reads have
Read Composed(Read read, Mapping to) {
  if (!to.reducer.empty()) return WindowsOf(std::move(read), std::move(to));
  if (!read.reducer.empty()) throw Unknown();
  const bool counts = !to.axes.empty();
  // Elements that are counted are counted once: what is counted again is only in another shape.
  if (IsCounted(read)) {
    const bool is_reshape = counts && to.indices == AxesOf(read.shape.rank()) &&
                            to.axes == read.shape.of && to.bounded.empty();
    if (!is_reshape) throw Unknown();
    read.shape = std::move(to.shape);
    return read;
  }
  // Indices are read once for a row: what names rows, still does.
  const bool moves_rows = counts || to.rows_by >= 0 || to.indices.empty() ||
                          !(to.indices.front() == AxisOf(0)) || to.shape.rank() != 2;
  if (IsGathered(read) && moves_rows) throw Unknown();
  if (to.rows_by >= 0 && read.sources.size() > 1) throw Unknown();
  ReadAt(to.indices, &read.sources);
  for (const size_t dim : to.bounded) {
    Bind({to.indices[dim], read.shape.of[dim]}, &read.sources);
  }
  if (to.rows_by >= 0) read.sources.front().rows_by = to.rows_by;
  if (counts && read.sources.size() > 1) throw Unknown();
  read.axes = std::move(to.axes);
  read.shape = std::move(to.shape);
  return read;
}

/// Whether two calls are the same tensor.
bool IsSame(const View &view, const ViewCall &a, const ViewCall &b) {
  if (a.operand < 0 || b.operand < 0) return false;
  const View::Operand &left = view.operands.at(static_cast<size_t>(a.operand));
  const View::Operand &right = view.operands.at(static_cast<size_t>(b.operand));
  return left.kind == View::Operand::kTensor && right.kind == View::Operand::kTensor &&
         left.param == right.param;
}

Read ReadOfCall(const Plan &plan, const View &view, const ViewCall &call) {
  const Arguments args(plan, view, call);
  if (call.operand >= 0) {
    const View::Operand &operand = view.operands.at(static_cast<size_t>(call.operand));
    if (operand.kind != View::Operand::kTensor) throw Unknown();
    const Extents shape = args.ShapeOf(operand.param);
    return {{{operand.param, AxesOf(shape.rank()), {}}}, shape, {}};
  }
  if (call.name == "*" && IsSame(view, call.args[0], call.args[1])) {
    Read read = ReadOfCall(plan, view, call.args[0]);
    if (!IsOnlyMoved(read)) throw Unknown();
    read.squares = true;
    return read;
  }
  if (call.name == "concat") return ReadOfConcat(plan, view, call);
  const ViewRow &row = FindViewRow(call.name);
  if (row.source >= call.args.size()) throw Unknown();
  Read read = ReadOfCall(plan, view, call.args[row.source]);
  Mapping to = row.mapping(read.shape, args);
  return Composed(std::move(read), std::move(to));
}

/// Whether a bound holds for all elements of a view over axes of these extents. Nothing is known of
/// coordinates that are read.
bool HoldsEverywhere(const IndexedRead::Bound &bound, const Sums &extents, bool is_gathered) {
  for (size_t a = is_gathered ? 1 : 0; a < extents.size(); ++a) {
    if (bound.index == AxisOf(a)) return bound.extent == extents[a];
  }
  return false;
}

void DropWhatHolds(const Sums &extents, IndexedRead::Source *source) {
  std::vector<IndexedRead::Bound> bounds;
  for (const IndexedRead::Bound &bound : source->bounds) {
    if (!HoldsEverywhere(bound, extents, source->rows_by >= 0)) bounds.push_back(bound);
  }
  source->bounds = std::move(bounds);
}

bool HasAxis(const IndexedRead::Source &source, int axis) {
  const auto has = [axis](const Affine &index) { return index.FactorOfAxis(axis) != 0; };
  return std::any_of(source.indices.begin(), source.indices.end(), has) ||
         std::any_of(source.bounds.begin(), source.bounds.end(),
                     [&has](const IndexedRead::Bound &bound) { return has(bound.index); });
}

/// A last axis that no index has, of an extent that is known, becomes a number of repetitions.
void DropRepetitions(IndexedRead *read) {
  const Affine extent = read->extents.back();
  const int last = static_cast<int>(read->extents.size()) - 1;
  const bool repeats = last > 0 && extent.is_constant() && extent.constant() > 0 &&
                       !HasAxis(read->sources.front(), last);
  if (!repeats) return;
  read->times = extent.constant();
  read->extents.pop_back();
}

/// What `view` reads; nothing if the generator does not know.
std::optional<IndexedRead> ReadOf(const Plan &plan, const View &view) {
  const std::optional<ViewCall> call = ParseViewCall(view);
  if (!call) return std::nullopt;
  try {
    Read read = ReadOfCall(plan, view, *call);
    const bool is_counted = IsCounted(read);
    Sums axes = read.axes.empty() ? std::move(read.shape.of) : std::move(read.axes);
    if (axes.size() > IndexedRead::kMostAxes) return std::nullopt;
    for (IndexedRead::Source &source : read.sources) DropWhatHolds(axes, &source);
    IndexedRead result = {std::move(read.sources), std::move(axes), is_counted};
    if (is_counted) DropRepetitions(&result);
    if (read.squares && read.reducer.empty()) return std::nullopt;
    result.reducer = std::move(read.reducer);
    result.squares = read.squares;
    return result;
  } catch (const Unknown &) {
    return std::nullopt;
  }
}

}  // namespace

Plan IndexReads(Plan plan) {
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const View *const view = plan.ViewOf(static_cast<int>(i));
    if (view != nullptr) plan.operands[i].read = ReadOf(plan, *view);
  }
  return plan;
}

}  // namespace mgen
