// SPDX-License-Identifier: Apache-2.0
#include "passes/index_reads.h"

#include <algorithm>
#include <cctype>
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

bool HasAxis(const IndexedRead::Source &source, int axis) {
  const auto has = [axis](const Affine &index) { return index.FactorOfAxis(axis) != 0; };
  return std::any_of(source.indices.begin(), source.indices.end(), has) ||
         std::any_of(source.bounds.begin(), source.bounds.end(),
                     [&has](const IndexedRead::Bound &bound) { return has(bound.index); });
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
IndexedRead IndexedReadOf(const Read &read) {
  IndexedRead result = read;
  result.is_counted = read.counts();
  result.has_rank_of_rule = read.shape.is_for_any_rank;
  result.extents = read.axes.empty() ? read.shape.of : read.axes;
  if (result.extents.size() > IndexedRead::kMostAxes) throw Unknown();
  for (IndexedRead::Source &source : result.sources) DropWhatHolds(result.extents, &source);
  if (result.is_counted) DropRepetitions(&result);
  return result;
}

/// Each element of a source of this shape, in place.
Read InPlaceOf(IndexedRead::Source source, const Extents &shape) {
  Read read;
  source.indices = AxesOf(shape.rank());
  read.sources.push_back(std::move(source));
  read.shape = shape;
  return read;
}

/// The elements of an expression of this shape, which the kernel evaluates.
Read Evaluated(const ViewSource &source, const ViewCall &call, const Extents &shape) {
  Read read;
  read.shape = shape;
  read.computed = source.view.Within(call.text);
  return read;
}

}  // namespace

Read ElementsOf(const Read &view) {
  return InPlaceOf({-1, {}, {}, -1, {IndexedReadOf(view)}, view.shape.of}, view.shape);
}

namespace {

Read ReadOfSource(const ViewSource &source, const ViewCall &call);

/// concat<dim>(left, right)
Read ReadOfConcat(const ViewSource &source, const ViewCall &call) {
  Read left = ReadOfSource(source, call.args.at(0));
  Read right = ReadOfSource(source, call.args.at(1));
  if (!left.has_rows() || !right.has_rows()) throw Unknown();  // it only joins what can be assigned
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

/// Whether kernels can load rows of the tensor's windows in packets: a row is forwards, and no more
/// than one bound is along it, and one of the rows.
bool HasRowsOfWindows(const Read &read) {
  const int last = static_cast<int>(read.shape.last());
  if (!read.is_of_tensor() || !GoesForwards(read.sources.front().indices, last)) return false;
  int along = 0, of_rows = 0;
  for (const IndexedRead::Bound &bound : read.sources.front().bounds) {
    for (int axis = 0; axis <= last; ++axis) {
      const int64_t factor = bound.index.FactorOfAxis(axis);
      if (factor != 0 && factor != 1) return false;
    }
    ++(bound.index.FactorOfAxis(last) == 0 ? of_rows : along);
  }
  return along <= 1 && of_rows <= 1;
}

/// The windows of a read.
Read WindowsOf(Read read, Mapping to) {
  if (!HasRowsOfWindows(read)) read = ElementsOf(read);
  ReadAt(to.indices, &read.sources);
  for (const size_t dim : to.left_out) {
    Bind({to.indices[dim], read.shape.of[dim], true}, &read.sources);
  }
  read.reducer = std::move(to.reducer);
  read.shape = std::move(to.shape);
  read.SetAxesOfWindow(to.height, to.width);
  return read;
}

/// range<DType>(start, stop[, step[, repeat]])
Read ReadOfRange(const ViewSource &source, const ViewCall &call) {
  const Arguments args(source, call);
  const Expr one = MakeLiteral(Type{ScalarKind::kFloat64}, 1.0);
  const Expr size = MakeCall("mshadow::expr::RangeOutSize", kIndexType,
                             {args.Value(0), args.Value(1), args.Has(2) ? args.Value(2) : one,
                              args.Has(3) ? args.Value(3) : MakeLiteral(kIntType, int64_t{1})});
  return Evaluated(source, call, {{Affine::Of(size)}});
}

/// Whether a vector of indices names the rows that are read.
bool IsGathered(const Read &read) {
  return !read.sources.empty() && read.sources.front().rows_by >= 0;
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
  if (read.counts() && is_reshape) {
    read.shape = std::move(to.shape);
    return read;
  }
  if (std::optional<Read> moved = read.holding ? HoldingInRows(read, to) : std::nullopt) {
    return *std::move(moved);
  }
  // Indices are read once for a row, so a gathered row must stay a row.
  const bool moves_rows = counts || to.rows_by >= 0 || to.indices.empty() ||
                          !(to.indices.front() == AxisOf(0)) || to.shape.rank() != 2;
  const bool keeps_gather = read.axes.empty() && IsGathered(read) && !moves_rows;
  const bool is_joined = read.sources.size() > 1 && (counts || to.rows_by >= 0);
  if (!(read.has_rows() || keeps_gather) || is_joined) read = ElementsOf(read);
  ReadAt(to.indices, &read.sources);
  for (const size_t dim : to.bounded) {
    Bind({to.indices[dim], read.shape.of[dim]}, &read.sources);
  }
  for (const IndexedRead::Bound &bound : to.where) Bind(bound, &read.sources);
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

/// What a function of the table reads.
Read ReadOfRow(const ViewSource &source, const ViewCall &call) {
  const ViewRow &row = FindViewRow(call.name);
  if (row.source >= call.args.size()) throw Unknown();
  const ViewCall &of = call.args[row.source];
  Read read = ReadOfSource(source, of);
  Mapping to = row.mapping(read.shape, {source, call});
  if (!to.reducer.empty() && IsSquare(source.view, of)) {
    Read root = ReadOfSource(source, of.args[0]);
    root.squares = HasRowsOfWindows(root);
    if (root.squares) read = std::move(root);
  }
  return Composed(std::move(read), std::move(to));
}

Read ReadOfCall(const ViewSource &source, const ViewCall &call) {
  const Arguments args(source, call);
  if (call.operand >= 0) {
    const View::Operand &operand = source.view.operands.at(static_cast<size_t>(call.operand));
    if (operand.kind != View::Operand::kTensor) throw Unknown();
    const Extents shape = args.ShapeOf(operand.param);
    return InPlaceOf({operand.param, {}, {}}, shape);
  }
  if (call.name == "concat") return ReadOfConcat(source, call);
  const auto read_of = [&](size_t argument) {
    if (argument >= call.args.size()) throw Unknown();
    return ReadOfSource(source, call.args[argument]);
  };
  if (call.name == "range") return ReadOfRange(source, call);
  if (call.name == "unpool") return ReadOfUnpool(read_of, args);
  if (call.name == "ch_unpool") return ReadOfChannelUnpool(read_of, args);
  if (call.name == "pack_col2patch") return ReadOfPack(read_of, args);
  return ReadOfRow(source, call);
}

/// Whether a call computes each element from those of its arguments that are at the same place.
bool IsArithmetic(const ViewCall &call) {
  static const char *const kNames[] = {"F", "tcast", "where"};
  const char first = call.name.empty() ? ' ' : call.name.front();
  const bool is_operator =
      call.args.size() == 2 && first != '[' && std::ispunct(first) != 0 && first != '.';
  return is_operator ||
         std::find(std::begin(kNames), std::end(kNames), call.name) != std::end(kNames);
}

/// What a function in a view reads: if it is arithmetic, elements that the kernel evaluates.
/// \throws Unknown if the extents of an expression are not known
Read ReadOfSource(const ViewSource &source, const ViewCall &call) {
  if (!IsArithmetic(call)) return ReadOfCall(source, call);
  for (const ViewCall &argument : call.args) {
    const bool is_number = argument.operand >= 0 &&
                           source.view.operands.at(static_cast<size_t>(argument.operand)).kind !=
                               View::Operand::kTensor;
    if (is_number) continue;
    return Evaluated(source, call, ReadOfSource(source, argument).shape);
  }
  throw Unknown();
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
    Operand &operand = plan.operands[i];
    const View *const view = plan.ViewOf(static_cast<int>(i));
    if (view != nullptr) operand.read = ReadOf(plan, *view);
    // There are no packets of bools.
    const bool computes = operand.read && operand.read->computes_packets();
    if (computes && IsBoolSomewhere(plan.rule, operand.type)) operand.read.reset();
  }
  return plan;
}

bool IsSlowToRead(const Plan &plan, const View &view) {
  const std::optional<IndexedRead> read = ReadOf(plan, view);
  return !read || read->is_counted || read->computes_packets();
}

}  // namespace mgen
