// SPDX-License-Identifier: Apache-2.0
#include "backends/common/read_text.h"

#include <algorithm>
#include <vector>

#include "backends/common/view_text.h"
#include "emit/names.h"

namespace mgen {
namespace {

/// Where neighbours along the last axis lie in the tensor.
std::string AlongOf(const IndexedRead::Source &source, int last) {
  const bool has_axis = std::any_of(source.indices.begin(), source.indices.end(),
                                    [last](const Affine &i) { return i.FactorOfAxis(last) != 0; });
  if (!has_axis) return "Along::kStay";
  const int64_t factor = source.indices.back().FactorOfAxis(last);
  return factor == 1 ? "Along::kForwards" : factor == -1 ? "Along::kBackwards" : "Along::kAcross";
}

/// `StridedView<DType, 2, Along::kForwards, true>`; if a vector names the rows
/// `GatheredView<int32_t, StridedView<…>>`.
std::string StridedType(const PlanText &rule, const std::string &type, const IndexedRead &read) {
  const int rank = static_cast<int>(read.extents.size());
  const IndexedRead::Source &source = read.sources.front();
  const std::string strided = "StridedView<" + type + ", " + std::to_string(rank) + ", " +
                              AlongOf(source, rank - 1) + ", " +
                              (source.bounds.empty() ? "false" : "true") + ">";
  if (source.rows_by < 0) return strided;
  return "GatheredView<" + rule.TypeName(rule.plan().rule.params[source.rows_by].type) + ", " +
         strided + ">";
}

/// `StridedView<DType, kAnyRank, Along::kAny, true>`, or `JoinedView<DType, kAnyRank, Along::kAny,
/// Along::kAny>` with one Along for each source.
std::string MovedType(const std::string &type, const IndexedRead &read) {
  std::string of = type + ", kAnyRank, Along::kAny";
  if (read.sources.size() == 1) {
    return "StridedView<" + of + (read.moved->Has("Pad") ? ", true>" : ", false>");
  }
  for (size_t i = 1; i < read.sources.size(); ++i) of += ", Along::kAny";
  return "JoinedView<" + of + ">";
}

/// `JoinedView<DType, 2, Along::kForwards, Along::kForwards>`.
std::string JoinedType(const std::string &type, const IndexedRead &read) {
  const int rank = static_cast<int>(read.extents.size());
  std::string text = "JoinedView<" + type + ", " + std::to_string(rank);
  for (const IndexedRead::Source &source : read.sources) text += ", " + AlongOf(source, rank - 1);
  return text + ">";
}

/// `CountedView<DType, 3, Along::kForwards, 0, 2>`.
std::string CountedType(const std::string &type, const IndexedRead &read) {
  const int rank = static_cast<int>(read.extents.size());
  const IndexedRead::Source &source = read.sources.front();
  return "CountedView<" + type + ", " + std::to_string(rank) + ", " + AlongOf(source, rank - 1) +
         ", " + std::to_string(source.bounds.size()) +
         (read.times > 1 ? ", " + std::to_string(read.times) : "") + ">";
}

/// A number that kernels know; 0 if only the launch does.
std::string KnownText(const Affine &number) {
  return std::to_string(number.is_constant() && number.constant() > 0 ? number.constant() : 0);
}

/// `WindowedView<mshadow::red::sum, DType, 2, 3, 3, 1, true>`: of two axes, 3 x 3 elements, 1
/// apart.
std::string WindowedType(const std::string &type, const IndexedRead &read) {
  const IndexedRead::Source &source = read.sources.front();
  const size_t rank = read.rank();
  const int last = static_cast<int>(rank) - 1;
  const bool has_edge = std::any_of(
      source.bounds.begin(), source.bounds.end(),
      [last](const IndexedRead::Bound &bound) { return bound.index.FactorOfAxis(last) != 0; });
  const int64_t stride = source.indices.back().FactorOfAxis(last);
  return "WindowedView<" + read.reducer + ", " + type + ", " + std::to_string(rank) + ", " +
         KnownText(read.extents[rank]) + ", " + KnownText(read.extents[rank + 1]) + ", " +
         std::to_string(stride == Affine::kOfLaunch ? 0 : stride) +
         (has_edge ? ", true" : ", false") + (read.squares ? ", true>" : ">");
}

/// `UnpooledView<mshadow::red::maximum, DType, 2, 3, 2, false>`: of two axes, 3 columns, 2 apart;
/// or `PackedView<DType, 2, 2>`.
std::string HoldingType(const std::string &type, const IndexedRead &read) {
  const IndexedRead::Holding &holding = *read.holding;
  const std::string of = type + ", " + std::to_string(read.rank()) + ", ";
  const std::string stride = KnownText(holding.columns.stride);
  if (!holding.is_gradient()) return "PackedView<" + of + stride + ">";
  return "UnpooledView<" + holding.reducer + ", " + of + KnownText(holding.columns.size) + ", " +
         stride + (read.sources.front().bounds.empty() ? ", false>" : ", true>");
}

/// A number of the launch: `in.shape[1] - 1 - mshadow::Axis(1)`.
std::string NumberText(const PlanText &rule, const Affine &number) {
  ExprStyle style;
  style.target = ExprStyle::kPeople;  // without a type for each number
  style.type_name = [&rule](Type type) { return rule.TypeName(type); };
  style.leaf = [&rule](const Node &node) -> std::string {
    if (node.op == Op::kAxis) return "mshadow::Axis(" + std::to_string(node.dim) + ")";
    if (node.op == Op::kHoisted) return "s." + rule.scalar_name(node.index);
    const std::string &tensor = rule.param_name(node.index);
    if (node.dim == Node::kRows) return tensor + ".rows()";
    if (node.dim == Node::kLastDim) return tensor + ".cols()";
    if (node.dim >= Node::kBefore) {
      return tensor + ".rows(" + std::to_string(node.dim - Node::kBefore + 1) + ")";
    }
    if (node.dim >= Node::kFromLast) {
      return tensor + ".shape[" + tensor + ".dim - " +
             std::to_string(node.dim - Node::kFromLast + 1) + "]";
    }
    return tensor + ".shape[" + std::to_string(node.dim) + "]";
  };
  return RenderExpr("", number.ToExpr(), "", style, 10 * kLineWidth);
}

/// The same for an index. If it has two axes, each is an element of a list: `{mshadow::Axis(1),
/// 2 * mshadow::Axis(4)}`.
std::string IndexText(const PlanText &rule, const Affine &index) {
  Affine rest = index;
  std::vector<std::string> axes;
  for (const Affine::Term &term : index.terms()) {
    const Affine axis = Multiple(Affine::Of(term.value), term.factor);
    if (!axis.has_axes()) continue;
    if (!axes.empty()) axes.push_back(NumberText(rule, axis));
    if (!axes.empty()) rest = rest - axis;
    if (axes.empty()) axes.emplace_back();  // the first element also has the other terms
  }
  if (axes.size() < 2) return NumberText(rule, index);
  axes.front() = NumberText(rule, rest);
  return "{" + Join(axes, ", ") + "}";
}

std::string CallText(const std::string &function, const std::vector<std::string> &args) {
  return RenderList(function + "(", args, ");", kLineWidth - 2);
}

/// The statements that set a source of a read. \param view the member of the Plan, or a part of it
std::vector<std::string> SourceSet(const PlanText &rule, const IndexedRead &read,
                                   const IndexedRead::Source &source, const std::string &view) {
  std::vector<std::string> indices, extents;
  for (const Affine &index : source.indices) indices.push_back(IndexText(rule, index));
  for (const Affine &extent : read.inner_extents) extents.push_back(NumberText(rule, extent));
  const std::string of =
      source.tensor >= 0 ? rule.param_name(source.tensor) : "{" + Join(extents, ", ") + "}";
  std::vector<std::string> lines = {
      RenderList(view + ".Set(" + of + ", {", indices, "});", kLineWidth - 2)};
  for (const IndexedRead::Bound &bound : source.bounds) {
    lines.push_back(CallText(view + (bound.leaves_out ? ".OnlyWithin" : ".Within"),
                             {IndexText(rule, bound.index), NumberText(rule, bound.extent)}));
  }
  if (source.rows_by >= 0) {
    lines.push_back(view + ".By(" + rule.param_name(source.rows_by) + ");");
  }
  return lines;
}

/// `mshadow::Moved(in).Flip(0)`, `mshadow::Joined(0, mshadow::Moved(a), mshadow::Moved(b))`.
std::string MovedSet(const PlanText &rule, const IndexedRead::Moved &moved) {
  if (moved.tensor >= 0) return "mshadow::Moved(" + rule.param_name(moved.tensor) + ")";
  std::vector<std::string> args;
  for (const int dim : moved.dims) args.push_back(std::to_string(dim));
  for (const Affine &number : moved.numbers) args.push_back(NumberText(rule, number));
  if (moved.shape >= 0) args.push_back(rule.param_name(moved.shape) + ".shape");
  if (moved.move == "BroadcastTo" && moved.shape < 0) args = {"{" + Join(args, ", ") + "}"};
  if (moved.of.size() == 1) {
    return MovedSet(rule, moved.of.front()) + "." + moved.move + "(" + Join(args, ", ") + ")";
  }
  for (const IndexedRead::Moved &source : moved.of) args.push_back(MovedSet(rule, source));
  return "mshadow::" + moved.move + "(" + Join(args, ", ") + ")";
}

/// The statements that set the windows, of which those that hold an element are added up.
std::vector<std::string> HoldingSet(const PlanText &rule, const IndexedRead &read,
                                    const std::string &view) {
  const IndexedRead::Holding &holding = *read.holding;
  std::vector<std::string> lines;
  const auto tensor = [&](const char *function, const IndexedRead::Source &source) {
    std::vector<std::string> indices;
    for (const Affine &index : source.indices) indices.push_back(IndexText(rule, index));
    lines.push_back(RenderList(view + function + rule.param_name(source.tensor) + ", {", indices,
                               "});", kLineWidth - 2));
  };
  const auto windows = [&](const char *function, const IndexedRead::Windows &along) {
    const Affine reach = MultipleByLaunch(along.size - 1, along.dilation) + 1;
    std::vector<std::string> args = {
        "{" +
        Join({NumberText(rule, along.place), NumberText(rule, reach),
              NumberText(rule, along.stride), NumberText(rule, along.count)},
             ", ") +
        "}"};
    if (!holding.is_gradient()) {
      args.push_back(NumberText(rule, along.size));
      args.push_back(NumberText(rule, along.dilation));
    }
    lines.push_back(CallText(view + function, args));
  };
  if (holding.is_gradient()) {
    lines = SourceSet(rule, read, read.sources[0], view);
    tensor(".Pooled(", read.sources[1]);
    tensor(".Gradient(", read.sources[2]);
  } else {
    const IndexedRead::Source &matrix = read.sources.front();
    lines = {CallText(view + ".Set",
                      {rule.param_name(matrix.tensor), NumberText(rule, matrix.indices[0]),
                       NumberText(rule, matrix.indices[1])})};
  }
  windows(".Rows", holding.rows);
  windows(".Columns", holding.columns);
  return lines;
}

std::string TypeOf(const PlanText &rule, const std::string &type, const IndexedRead &read) {
  if (!read.inner.empty()) {
    const int rank = static_cast<int>(read.extents.size());
    const IndexedRead::Source &source = read.sources.front();
    return "NestedView<" + TypeOf(rule, type, read.inner.front()) + ", " + std::to_string(rank) +
           ", " + AlongOf(source, rank - 1) + (source.bounds.empty() ? ", false>" : ", true>");
  }
  if (!read.range.empty()) return "RangeView<" + type + ">";
  if (read.moved) return MovedType(type, read);
  if (read.is_counted) return CountedType(type, read);
  if (!read.reducer.empty()) return WindowedType(type, read);
  if (read.holding) return HoldingType(type, read);
  return read.sources.size() == 1 ? StridedType(rule, type, read) : JoinedType(type, read);
}

/// The statements that set a read. \param member of the Plan, or a part of it
std::vector<std::string> LinesOf(const PlanText &rule, const IndexedRead &read,
                                 std::string member) {
  if (read.moved) return {CallText(member + ".Set", {MovedSet(rule, *read.moved)})};
  if (!read.range.empty()) {
    std::vector<std::string> numbers;
    for (const Expr &number : read.range) numbers.push_back(LaunchScalarText(rule, number));
    return {CallText(member + ".Set", numbers)};
  }
  // The index of a row is split into coordinates along all axes but the last. For that the extent
  // of the first axis is not needed.
  const size_t outer = read.is_counted ? 0 : 1;
  std::vector<std::string> lines, extents;
  for (const IndexedRead &inner : read.inner) lines = LinesOf(rule, inner, member + ".inner");
  for (size_t a = outer; a + outer < read.rank(); ++a) {
    extents.push_back(NumberText(rule, read.extents[a]));
  }
  const auto over = [&](const std::string &view) {
    if (extents.empty()) return;
    lines.push_back(RenderList(view + ".Over({", extents, "});", kLineWidth - 2));
  };
  if (read.holding) {
    lines = HoldingSet(rule, read, member);
    over(member);
    return lines;
  }
  for (size_t i = 0; i < read.sources.size(); ++i) {
    const bool is_last = i + 1 == read.sources.size();
    const std::string view = member + (is_last ? "" : ".first");
    member += is_last ? "" : ".rest";
    for (std::string &line : SourceSet(rule, read, read.sources[i], view)) {
      lines.push_back(std::move(line));
    }
    over(view);
  }
  if (!read.reducer.empty()) {
    lines.push_back(
        CallText(member + ".Window", {NumberText(rule, read.extents[read.rank()]),
                                      NumberText(rule, read.extents[read.rank() + 1])}));
  }
  return lines;
}

}  // namespace

std::string ReadType(const PlanText &rule, int operand) {
  const Operand &of = rule.plan().operands[operand];
  return TypeOf(rule, rule.TypeName(of.type), *of.read);
}

std::string ReadSet(const PlanText &rule, int operand) {
  const std::string member = "plan." + rule.operand_name(operand);
  return Join(LinesOf(rule, *rule.plan().operands[operand].read, member), "\n");
}

}  // namespace mgen
