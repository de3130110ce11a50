// SPDX-License-Identifier: Apache-2.0
#include "passes/index_reads.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/view_call.h"
#include "passes/view_ranks.h"
#include "passes/view_read.h"

namespace mgen {
namespace {

/// Adds a bound to the sources.
void Bind(const IndexedRead::Bound &bound, std::vector<IndexedRead::Source> *sources) {
  for (IndexedRead::Source &source : *sources) source.bounds.push_back(bound);
}

/// Whether a vector of indices names the rows that are read.
bool IsGathered(const Read &read) { return read.sources.front().rows_by >= 0; }

Read ReadOfCall(const ViewSource &source, const ViewCall &call);

/// concat<dim>(left, right)
Read ReadOfConcat(const ViewSource &source, const ViewCall &call) {
  Read left = ReadOfCall(source, call.args.at(0));
  Read right = ReadOfCall(source, call.args.at(1));
  for (const Read *read : {&left, &right}) {
    if (!read->is_only_moved()) throw Unknown();
  }
  const size_t dim = Arguments(source, call).TemplateDim(0, left.shape);
  Sums axes = AxesOf(left.shape.rank());
  Bind({axes[dim], left.shape.of[dim]}, &left.sources);
  axes[dim] = axes[dim] - left.shape.of[dim];
  ReadAt(axes, &right.sources);
  Bind({axes[dim], right.shape.of[dim]}, &right.sources);
  left.shape.of[dim] = left.shape.of[dim] + right.shape.of[dim];
  left.sources.insert(left.sources.end(), right.sources.begin(), right.sources.end());
  return left;
}

/// How many bounds of a kind a read of windows has.
struct BoundsOfWindows {
  int rows = 0, columns = 0;                    ///< elements outside are 0
  int rows_left_out = 0, columns_left_out = 0;  ///< windows have no elements outside

  bool are_few() const {
    return rows <= 1 && columns <= 1 && rows_left_out <= 1 && columns_left_out <= 1;
  }
};

/// \throws Unknown unless kernels can load a row of a window in packets: forwards, each column of a
///     window is the next element
void RequireRowsOfWindows(const Read &read) {
  const IndexedRead::Source &source = read.sources.front();
  const int last = static_cast<int>(read.shape.last()), height = last + 1, width = last + 2;
  const auto has = [](const Affine &index, int axis) { return index.FactorOfAxis(axis) != 0; };
  const auto is_of_row = [&](const Affine &index) {
    return !has(index, last) && !has(index, width);
  };
  const Affine &along = source.indices.back();
  const int64_t stride = along.FactorOfAxis(last);
  const int64_t next = along.FactorOfAxis(width);
  const bool has_columns = next == 1 || (next == 0 && read.axes.back() == 1);
  const bool is_forwards = (stride >= 1 || stride == Affine::kOfLaunch) && !has(along, height) &&
                           has_columns &&
                           std::all_of(source.indices.begin(), source.indices.end() - 1, is_of_row);
  BoundsOfWindows bounds;
  for (const IndexedRead::Bound &bound : source.bounds) {
    const bool goes_up = !has(bound.index, height) || bound.index.FactorOfAxis(height) == 1;
    const bool is_of_rows = is_of_row(bound.index);
    const bool is_along = !(bound.index - along).has_axes();
    if (!goes_up || !(is_of_rows || is_along)) throw Unknown();
    ++(is_of_rows ? (bound.leaves_out ? bounds.rows_left_out : bounds.rows)
                  : (bound.leaves_out ? bounds.columns_left_out : bounds.columns));
  }
  if (!is_forwards || !bounds.are_few()) throw Unknown();
}

/// The windows of a read.
/// \throws Unknown unless kernels can load a row of a window in packets
Read WindowsOf(Read read, Mapping to) {
  const bool has_elements = read.axes.empty() && !IsGathered(read) && !read.holding;
  if (!has_elements || read.sources.size() > 1 || !read.inner.empty()) throw Unknown();
  ReadAt(to.indices, &read.sources);
  for (const size_t dim : to.left_out) {
    Bind({to.indices[dim], read.shape.of[dim], true}, &read.sources);
  }
  read.reducer = std::move(to.reducer);
  read.shape = std::move(to.shape);
  read.SetAxesOfWindow(to.height, to.width);
  RequireRowsOfWindows(read);
  return read;
}

/// The elements of a view in place, as those of a tensor.
Read ElementsOf(Read view) {
  Read read = {{{-1, AxesOf(view.shape.rank()), {}}}, view.shape, {}};
  read.inner.push_back(std::move(view));
  return read;
}

/// range<DType>(start, stop[, step[, repeat]])
Read ReadOfRange(const Arguments &args) {
  Read read;
  for (size_t i = 0; i < 4; ++i) {
    const Expr one =
        i < 3 ? MakeLiteral(Type{ScalarKind::kFloat64}, 1.0) : MakeLiteral(kIntType, int64_t{1});
    read.range.push_back(args.Has(i) || i < 2 ? args.Value(i) : one);
  }
  read.shape.of = {Affine::Of(MakeCall("mshadow::expr::RangeOutSize", kIndexType, read.range))};
  return ElementsOf(std::move(read));
}

/// Sums over windows, after a function that leaves rows rows; nothing if it does not.
std::optional<Read> HoldingInRows(const Read &read, const Mapping &to) {
  try {
    return MovedHolding(read, to);
  } catch (const Unknown &) {
    return std::nullopt;
  }
}

/// A read after a function of the table.
/// \throws Unknown if no form of reads describes the two together
Read Composed(Read read, Mapping to) {
  if (!to.reducer.empty()) return WindowsOf(std::move(read), std::move(to));
  const bool counts = !to.axes.empty();
  // A counted read stays one if a reshape only gives it another shape.
  const bool is_reshape = counts && to.indices == AxesOf(read.shape.rank()) &&
                          to.axes == read.shape.of && to.bounded.empty();
  if (read.is_counted() && is_reshape) {
    read.shape = std::move(to.shape);
    return read;
  }
  // Indices are read once for a row, so a gathered row must stay a row.
  const bool moves_rows = counts || to.rows_by >= 0 || to.indices.empty() ||
                          !(to.indices.front() == AxisOf(0)) || to.shape.rank() != 2;
  if (std::optional<Read> moved = read.holding ? HoldingInRows(read, to) : std::nullopt) {
    return *std::move(moved);
  }
  if (!read.axes.empty() || read.holding || (IsGathered(read) && moves_rows)) {
    read = ElementsOf(std::move(read));
  }
  const bool is_of_tensor = read.sources.size() == 1 && read.inner.empty();
  if ((counts || to.rows_by >= 0) && !is_of_tensor) throw Unknown();
  ReadAt(to.indices, &read.sources);
  for (const size_t dim : to.bounded) {
    Bind({to.indices[dim], read.shape.of[dim]}, &read.sources);
  }
  if (to.rows_by >= 0) read.sources.front().rows_by = to.rows_by;
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

/// Whether a call multiplies what it reads by itself.
bool IsSquare(const View &view, const ViewCall &call) {
  if (call.name == "F")
    return call.template_args == std::vector<std::string>{"mshadow::op::square"};
  return call.name == "*" && IsSame(view, call.args[0], call.args[1]);
}

Read ReadOfCall(const ViewSource &source, const ViewCall &call) {
  const Arguments args(source, call);
  if (call.operand >= 0) {
    const View::Operand &operand = source.view.operands.at(static_cast<size_t>(call.operand));
    if (operand.kind != View::Operand::kTensor) throw Unknown();
    const Extents shape = args.ShapeOf(operand.param);
    return {{{operand.param, AxesOf(shape.rank()), {}}}, shape, {}};
  }
  if (IsSquare(source.view, call)) {
    Read read = ReadOfCall(source, call.args[0]);
    if (!read.is_only_moved()) throw Unknown();
    read.squares = true;
    return read;
  }
  if (call.name == "concat") return ReadOfConcat(source, call);
  const auto read_of = [&](size_t argument) {
    if (argument >= call.args.size()) throw Unknown();
    return ReadOfCall(source, call.args[argument]);
  };
  if (call.name == "range") return ReadOfRange(args);
  if (call.name == "unpool") return ReadOfUnpool(read_of, args);
  if (call.name == "ch_unpool") return ReadOfChannelUnpool(read_of, args);
  if (call.name == "pack_col2patch") return ReadOfPack(read_of, args);
  const ViewRow &row = FindViewRow(call.name);
  if (row.source >= call.args.size()) throw Unknown();
  Read read = ReadOfCall(source, call.args[row.source]);
  Mapping to = row.mapping(read.shape, args);
  return Composed(std::move(read), std::move(to));
}

/// Whether a bound holds for all elements of a view over axes of these extents. Coordinates that a
/// vector of indices names may have any value.
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

/// If no index uses the last axis, and its extent is known, it becomes a number of repetitions.
void DropRepetitions(IndexedRead *read) {
  const Affine extent = read->extents.back();
  const int last = static_cast<int>(read->extents.size()) - 1;
  const bool repeats = last > 0 && extent.is_constant() && extent.constant() > 0 &&
                       !HasAxis(read->sources.front(), last);
  if (!repeats) return;
  read->times = extent.constant();
  read->extents.pop_back();
}

/// The read as Operand::read says it.
/// \throws Unknown if no kernel can load it
IndexedRead IndexedReadOf(Read read) {
  IndexedRead result;
  result.is_counted = read.is_counted();
  for (Read &view : read.inner) {
    result.inner_extents = view.shape.of;
    result.inner.push_back(IndexedReadOf(std::move(view)));
  }
  result.extents = read.axes.empty() ? std::move(read.shape.of) : std::move(read.axes);
  const bool is_value = read.squares && read.reducer.empty();
  if (is_value || result.extents.size() > IndexedRead::kMostAxes) throw Unknown();
  for (IndexedRead::Source &source : read.sources) DropWhatHolds(result.extents, &source);
  result.sources = std::move(read.sources);
  if (result.is_counted) DropRepetitions(&result);
  result.reducer = std::move(read.reducer);
  result.squares = read.squares;
  result.range = std::move(read.range);
  result.holding = std::move(read.holding);
  return result;
}

/// What `view` reads; nothing if the generator does not know.
std::optional<IndexedRead> ReadOf(const Plan &plan, const View &view) {
  const std::optional<ViewCall> call = ParseViewCall(view);
  if (!call) return std::nullopt;
  // In a rule for any rank the functions name the last dimensions, as few as are tried first; or
  // others, which only the launch knows.
  constexpr size_t kMostNamed = 3;
  const size_t most = std::min(kMostNamed, static_cast<size_t>(view.least_rank));
  for (size_t named = 1; named <= most; ++named) {
    try {
      return IndexedReadOf(ReadOfCall({plan, view, named}, *call));
    } catch (const Unknown &) {
    }
  }
  try {
    return MovedReadOf({plan, view, most}, *call);
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
