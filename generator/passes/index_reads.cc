// SPDX-License-Identifier: Apache-2.0
#include "passes/index_reads.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/view_call.h"

namespace mgen {
namespace {

using Sums = std::vector<Affine>;

/// The extents of an expression. One of a rule's rank, which is for any, is a matrix here: what
/// stands in front of its last dimension is read in place, and counts as one.
struct Extents {
  Sums of;
  bool is_for_any_rank = false;

  size_t rank() const { return of.size(); }
  size_t last() const { return of.size() - 1; }
};

/// Thrown where an argument is not known before the launch, or a function is none of the table.
struct Unknown {};

Affine AxisOf(size_t dim) { return Affine::Of(MakeAxis(static_cast<int>(dim))); }

/// Each axis of an expression, itself.
Sums AxesOf(size_t rank) {
  Sums axes;
  for (size_t d = 0; d < rank; ++d) axes.push_back(AxisOf(d));
  return axes;
}

/// What a call says of its source: where an element of the result lies in it.
struct Mapping {
  Sums indices;                   ///< one for each dimension of the source, over the result's axes
  Extents shape;                  ///< the result's
  std::vector<size_t> bounded{};  ///< dimensions in which there may be no such element
};

/// The identity, to be changed in some dimensions.
Mapping InPlace(const Extents &source) { return {AxesOf(source.rank()), source}; }

/// The arguments of a call, as numbers.
class Arguments {
 public:
  Arguments(const Plan &plan, const View &view, const ViewCall &call)
      : plan_(plan), view_(view), call_(call) {}

  bool Has(size_t i) const { return i < call_.args.size(); }

  Affine Number(size_t i) const { return NumberIn(Arg(i)); }
  /// A dimension of what has this shape, which must be known.
  size_t Dim(size_t i, const Extents &shape) const {
    return IsLastOfAny(Arg(i).operand) ? LastOf(shape) : Checked(Number(i), shape);
  }
  /// The same of a template argument.
  size_t TemplateDim(size_t i, const Extents &shape) const {
    if (i >= call_.template_args.size()) throw Unknown();
    const std::string &text = call_.template_args[i];
    const bool is_operand = text.front() == '$';
    const std::string digits = text.substr(is_operand ? 1 : 0);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) {
      throw Unknown();
    }
    const int number = std::stoi(digits);
    if (!is_operand) return Checked(number, shape);
    if (!IsLastOfAny(number)) throw Unknown();
    return LastOf(shape);
  }
  Extents Shape(size_t i) const {
    const ViewCall &arg = Arg(i);
    if (arg.operand >= 0) {
      const View::Operand &operand = Operand(arg.operand);
      if (operand.kind != View::Operand::kShape) throw Unknown();
      return ShapeOf(operand.param);
    }
    if (arg.name.rfind("Shape", 0) != 0) throw Unknown();
    Extents shape;
    for (const ViewCall &extent : arg.args) shape.of.push_back(NumberIn(extent));
    return shape;
  }

  Extents ShapeOf(int tensor) const {
    const int rank = plan_.rule.params[tensor].rank;
    const auto extent = [tensor](int dim) { return Affine::Of(MakeDim(tensor, dim)); };
    if (rank == Param::kRankParam) return {{extent(Node::kRows), extent(Node::kLastDim)}, true};
    Extents shape;
    for (int d = 0; d < rank; ++d) shape.of.push_back(extent(d));
    return shape;
  }

 private:
  const ViewCall &Arg(size_t i) const {
    if (!Has(i)) throw Unknown();
    return call_.args[i];
  }
  const View::Operand &Operand(int number) const {
    return view_.operands.at(static_cast<size_t>(number));
  }
  Affine NumberIn(const ViewCall &arg) const {
    if (arg.operand < 0 || !Operand(arg.operand).has_value()) throw Unknown();
    return Sum(Operand(arg.operand).value);
  }
  /// An extent of a tensor that the view takes is seen to be one though the launch computes it as a
  /// scalar.
  Affine Sum(const Expr &value) const {
    if (value->op == Op::kLiteral) {
      if (!std::holds_alternative<int64_t>(value->value)) throw Unknown();
      return Affine::Of(value);
    }
    if (value->type != kIndexType) throw Unknown();
    if (value->op != Op::kHoisted) return Affine::Of(value);
    const Expr &computed = plan_.scalars.at(static_cast<size_t>(value->index)).value;
    const std::vector<int> tensors = view_.Arguments();
    const bool is_extent =
        computed->op == Op::kDim && (computed->dim >= 0 || computed->dim == Node::kLastDim) &&
        std::find(tensors.begin(), tensors.end(), computed->index) != tensors.end();
    return Affine::Of(is_extent ? computed : value);
  }

  /// Whether an operand is `dim - 1`.
  bool IsLastOfAny(int operand) const {
    return operand >= 0 && Operand(operand).kind == View::Operand::kRank &&
           Operand(operand).offset == -1;
  }
  static size_t LastOf(const Extents &shape) {
    if (!shape.is_for_any_rank) throw Unknown();
    return shape.last();
  }
  static size_t Checked(const Affine &dim, const Extents &shape) {
    const bool is_dim = dim.is_constant() && dim.constant() >= 0 &&
                        dim.constant() < static_cast<int64_t>(shape.rank());
    if (!is_dim || shape.is_for_any_rank) throw Unknown();
    return static_cast<size_t>(dim.constant());
  }

  const Plan &plan_;
  const View &view_;
  const ViewCall &call_;
};

// Each function of the table, given the source's shape.

/// flip(source, dim)
Mapping Flip(const Extents &source, const Arguments &args) {
  Mapping to = InPlace(source);
  const size_t dim = args.Dim(1, source);
  to.indices[dim] = source.of[dim] - 1 - AxisOf(dim);
  return to;
}

/// mirror(source): of the last dimension
Mapping Mirror(const Extents &source, const Arguments &) {
  Mapping to = InPlace(source);
  to.indices.back() = source.of.back() - 1 - to.indices.back();
  return to;
}

Mapping Range(const Extents &source, size_t dim, const Affine &begin, const Affine &end) {
  Mapping to = InPlace(source);
  to.indices[dim] = to.indices[dim] + begin;
  to.shape.of[dim] = end - begin;
  return to;
}

/// slice<dim>(source, begin, end)
Mapping Slice(const Extents &source, const Arguments &args) {
  return Range(source, args.TemplateDim(0, source), args.Number(1), args.Number(2));
}

void RequireFixedRank(const Extents &source, size_t least) {
  if (source.is_for_any_rank || source.rank() < least) throw Unknown();
}

/// source.Slice(begin, end)
Mapping SliceMember(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 1);
  return Range(source, 0, args.Number(1), args.Number(2));
}

/// source[index]
Mapping Subscript(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 2);
  Mapping to = {{args.Number(1)}, {{source.of.begin() + 1, source.of.end()}}};
  for (size_t d = 1; d < source.rank(); ++d) to.indices.push_back(AxisOf(d - 1));
  return to;
}

/// crop(source, shape, y, x), or from the middle crop(source, shape)
Mapping Crop(const Extents &source, const Arguments &args) {
  const Sums shape = args.Shape(1).of;
  RequireFixedRank(source, 2);
  if (shape.size() != 2) throw Unknown();
  Mapping to = InPlace(source);
  for (size_t i = 0; i < 2; ++i) {
    const size_t d = source.rank() - 2 + i;
    const Affine first = args.Has(2) ? args.Number(2 + i) : HalfOf(source.of[d] - shape[i]);
    to.indices[d] = to.indices[d] + first;
    to.shape.of[d] = shape[i];
  }
  return to;
}

/// pad(source, size), or pad(source, y, x)
Mapping Pad(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 2);
  Mapping to = InPlace(source);
  for (size_t i = 0; i < 2; ++i) {
    const size_t d = source.rank() - 2 + i;
    const Affine size = args.Number(args.Has(2) ? 1 + i : 1);
    if (size == 0) continue;
    to.indices[d] = to.indices[d] - size;
    to.shape.of[d] = source.of[d] + size + size;
    to.bounded.push_back(d);
  }
  return to;
}

/// Dimension d is the source's `axes[d]`.
Mapping Permuted(const Extents &source, const std::vector<size_t> &axes) {
  Mapping to = {Sums(source.rank()), {}};
  for (size_t d = 0; d < axes.size(); ++d) {
    to.indices[axes[d]] = AxisOf(d);
    to.shape.of.push_back(source.of[axes[d]]);
  }
  return to;
}

/// source.T()
Mapping Transposed(const Extents &source, const Arguments &) {
  RequireFixedRank(source, 2);
  return Permuted(source, {1, 0});
}

/// swapaxis<a, b>(source)
Mapping SwapAxis(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 2);
  std::vector<size_t> axes;
  for (size_t d = 0; d < source.rank(); ++d) axes.push_back(d);
  std::swap(axes[args.TemplateDim(0, source)], axes[args.TemplateDim(1, source)]);
  return Permuted(source, axes);
}

/// transpose(source, axes)
Mapping Transpose(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 1);
  std::vector<size_t> axes;
  std::set<size_t> seen;
  for (const Affine &axis : args.Shape(1).of) {
    const bool is_dim = axis.is_constant() && axis.constant() >= 0 &&
                        axis.constant() < static_cast<int64_t>(source.rank());
    if (!is_dim) throw Unknown();
    axes.push_back(static_cast<size_t>(axis.constant()));
    seen.insert(axes.back());
  }
  if (axes.size() != source.rank() || seen.size() != axes.size()) throw Unknown();
  return Permuted(source, axes);
}

/// broadcast<dim>(vector, shape)
Mapping Broadcast(const Extents &, const Arguments &args) {
  const Extents shape = args.Shape(1);
  return {{AxisOf(args.TemplateDim(0, shape))}, shape};
}

/// broadcast_scalar(vector of one, shape)
Mapping BroadcastScalar(const Extents &, const Arguments &args) { return {{0}, args.Shape(1)}; }

/// repmat(vector, rows)
Mapping Repmat(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 1);
  return {{AxisOf(1)}, {{args.Number(1), source.of[0]}}};
}

/// broadcast_keepdim(source, axis, size): of extent 1
Mapping BroadcastKeepdim(const Extents &source, const Arguments &args) {
  Mapping to = InPlace(source);
  const size_t axis = args.Dim(1, source);
  to.indices[axis] = 0;
  to.shape.of[axis] = args.Number(2);
  return to;
}

/// broadcast_with_axis(source, axis, size): a new dimension behind `axis`
Mapping BroadcastWithAxis(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 1);
  const Affine behind = args.Number(1) + 1;
  const bool is_dim = behind.is_constant() && behind.constant() >= 0 &&
                      behind.constant() <= static_cast<int64_t>(source.rank());
  if (!is_dim) throw Unknown();
  const auto at = static_cast<size_t>(behind.constant());
  Mapping to = {{}, source};
  to.shape.of.insert(to.shape.of.begin() + behind.constant(), args.Number(2));
  for (size_t d = 0; d < source.rank(); ++d) to.indices.push_back(AxisOf(d < at ? d : d + 1));
  return to;
}

struct Row {
  const char *name;
  Mapping (*mapping)(const Extents &source, const Arguments &args);
};

constexpr Row kTable[] = {
    {"flip", Flip},
    {"mirror", Mirror},
    {"slice", Slice},
    {".Slice", SliceMember},
    {"[]", Subscript},
    {"crop", Crop},
    {"pad", Pad},
    {".T", Transposed},
    {"swapaxis", SwapAxis},
    {"transpose", Transpose},
    {"broadcast", Broadcast},
    {"broadcast_scalar", BroadcastScalar},
    {"repmat", Repmat},
    {"broadcast_keepdim", BroadcastKeepdim},
    {"broadcast_with_axis", BroadcastWithAxis},
};

const Row &RowOf(const std::string &name) {
  const auto *const row = std::find_if(std::begin(kTable), std::end(kTable),
                                       [&name](const Row &r) { return name == r.name; });
  if (row == std::end(kTable)) throw Unknown();
  return *row;
}

/// What an expression reads, over its own axes.
struct Read {
  std::vector<IndexedRead::Source> sources;
  Extents shape;
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

Read ReadOfCall(const Plan &plan, const View &view, const ViewCall &call);

/// concat<dim>(left, right)
Read ReadOfConcat(const Plan &plan, const View &view, const ViewCall &call) {
  Read left = ReadOfCall(plan, view, call.args.at(0));
  Read right = ReadOfCall(plan, view, call.args.at(1));
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

Read ReadOfCall(const Plan &plan, const View &view, const ViewCall &call) {
  const Arguments args(plan, view, call);
  if (call.operand >= 0) {
    const View::Operand &operand = view.operands.at(static_cast<size_t>(call.operand));
    if (operand.kind != View::Operand::kTensor) throw Unknown();
    const Extents shape = args.ShapeOf(operand.param);
    return {{{operand.param, AxesOf(shape.rank()), {}}}, shape};
  }
  if (call.name == "concat") return ReadOfConcat(plan, view, call);
  const Row &row = RowOf(call.name);
  Read read = ReadOfCall(plan, view, call.args.at(0));
  Mapping to = row.mapping(read.shape, args);
  ReadAt(to.indices, &read.sources);
  for (const size_t dim : to.bounded) {
    Bind({to.indices[dim], read.shape.of[dim]}, &read.sources);
  }
  read.shape = std::move(to.shape);
  return read;
}

/// Whether a bound holds for all elements of a view of this shape.
bool HoldsEverywhere(const IndexedRead::Bound &bound, const Sums &shape) {
  for (size_t d = 0; d < shape.size(); ++d) {
    if (bound.index == AxisOf(d)) return bound.extent == shape[d];
  }
  return false;
}

void DropWhatHolds(const Sums &shape, IndexedRead::Source *source) {
  std::vector<IndexedRead::Bound> bounds;
  for (const IndexedRead::Bound &bound : source->bounds) {
    if (!HoldsEverywhere(bound, shape)) bounds.push_back(bound);
  }
  source->bounds = std::move(bounds);
}

/// What `view` reads; nothing if the generator does not know.
std::optional<IndexedRead> ReadOf(const Plan &plan, const View &view) {
  const std::optional<ViewCall> call = ParseViewCall(view);
  if (!call) return std::nullopt;
  try {
    Read read = ReadOfCall(plan, view, *call);
    for (IndexedRead::Source &source : read.sources) DropWhatHolds(read.shape.of, &source);
    return IndexedRead{std::move(read.sources), std::move(read.shape.of)};
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
