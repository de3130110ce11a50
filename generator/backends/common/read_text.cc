// SPDX-License-Identifier: Apache-2.0
#include "backends/common/read_text.h"

#include <algorithm>
#include <vector>

#include "backends/common/view_text.h"
#include "emit/names.h"

namespace mgen {
namespace {

/// Where neighbours along the last axis lie in the tensor. On a diagonal they are in other rows.
std::string AlongOf(const IndexedRead::Source &source, int last) {
  const bool has_rows = std::any_of(source.indices.begin(), source.indices.end() - 1,
                                    [last](const Affine &i) { return i.FactorOfAxis(last) != 0; });
  if (has_rows) return "Along::kAcross";
  const int64_t factor = source.indices.back().FactorOfAxis(last);
  if (factor == 0) return "Along::kStay";
  return factor == 1 ? "Along::kForwards" : factor == -1 ? "Along::kBackwards" : "Along::kAcross";
}

/// A view whose member of the Plan is written.
struct Member {
  const PlanText &rule;
  int operand;

  std::string type() const { return rule.TypeName(rule.plan().operands[operand].type); }
};

std::string TypeOf(const Member &m, const IndexedRead &read);
/// The statements that set a read. \param member of the Plan, or a part of it
std::vector<std::string> LinesOf(const Member &m, const IndexedRead &read, std::string member);

/// Types joined two by two: `JoinedView<A, JoinedView<B, C>>`.
std::string Joined(const std::vector<std::string> &types) {
  std::string text = types.back();
  for (size_t i = types.size() - 1; i > 0; --i) {
    text = "JoinedView<" + types[i - 1] + ", " + text + ">";
  }
  return text;
}

/// `DType`, or of another view `ElementsOf<WindowedView<…>>`.
std::string TypeOfElements(const Member &m, const IndexedRead::Source &source) {
  return source.tensor >= 0 ? m.type() : "ElementsOf<" + TypeOf(m, source.inner.front()) + ">";
}

/// `StridedView<DType, 2, Along::kForwards, true>`; if a vector names the rows
/// `GatheredView<int32_t, StridedView<…>>`.
std::string StridedType(const Member &m, const IndexedRead &read,
                        const IndexedRead::Source &source) {
  const int rank = static_cast<int>(read.extents.size());
  const bool has_edge = !source.bounds.empty() || read.sources.size() > 1;
  const std::string strided = "StridedView<" + TypeOfElements(m, source) + ", " +
                              std::to_string(rank) + ", " + AlongOf(source, rank - 1) +
                              (has_edge ? ", true>" : ", false>");
  if (source.rows_by < 0) return strided;
  return "GatheredView<" + m.rule.TypeName(m.rule.plan().rule.params[source.rows_by].type) + ", " +
         strided + ">";
}

/// `JoinedView<StridedView<…>, StridedView<…>>`.
std::string JoinedType(const Member &m, const IndexedRead &read) {
  std::vector<std::string> types;
  for (const IndexedRead::Source &source : read.sources) {
    types.push_back(StridedType(m, read, source));
  }
  return Joined(types);
}

/// `StridedView<DType, kAnyRank, Along::kAny, true>`, or several of them joined.
std::string MovedType(const Member &m, const IndexedRead &read) {
  const bool has_edge = read.sources.size() > 1 || read.moved->Has("Pad");
  return Joined({read.sources.size(), "StridedView<" + m.type() + ", kAnyRank, Along::kAny" +
                                          (has_edge ? ", true>" : ", false>")});
}

/// `CountedView<DType, 3, Along::kForwards, 0, 2>`.
std::string CountedType(const Member &m, const IndexedRead &read) {
  const int rank = static_cast<int>(read.extents.size());
  const IndexedRead::Source &source = read.sources.front();
  return "CountedView<" + TypeOfElements(m, source) + ", " + std::to_string(rank) + ", " +
         AlongOf(source, rank - 1) + ", " + std::to_string(source.bounds.size()) +
         (read.times > 1 ? ", " + std::to_string(read.times) : "") + ">";
}

/// A number that kernels know; 0 if only the launch does.
std::string KnownText(const Affine &number) {
  return std::to_string(number.is_constant() && number.constant() > 0 ? number.constant() : 0);
}

/// `WindowedView<mshadow::red::sum, DType, 2, 3, 3, 1, true>`: of two axes, 3 x 3 elements, 1
/// apart.
std::string WindowedType(const Member &m, const IndexedRead &read) {
  const IndexedRead::Source &source = read.sources.front();
  const size_t rank = read.rank();
  const int last = static_cast<int>(rank) - 1;
  const bool has_edge = std::any_of(
      source.bounds.begin(), source.bounds.end(),
      [last](const IndexedRead::Bound &bound) { return bound.index.FactorOfAxis(last) != 0; });
  const auto known = [](int64_t factor) {
    return std::to_string(factor == Affine::kOfLaunch ? 0 : factor);
  };
  const int64_t stride = source.indices.back().FactorOfAxis(last);
  const int64_t dilation = source.indices.back().FactorOfAxis(static_cast<int>(rank) + 1);
  std::string text = "WindowedView<" + read.reducer + ", " + TypeOfElements(m, source) + ", " +
         std::to_string(rank) + ", " + KnownText(read.extents[rank]) + ", " +
         KnownText(read.extents[rank + 1]) + ", " +
         known(stride) + (has_edge ? ", true" : ", false");
  if (read.squares || dilation != 1) text += read.squares ? ", true" : ", false";
  if (dilation != 1) text += ", " + known(dilation);
  return text + ">";
}

/// Whether the elements of a pool's windows are apart, or may be.
bool IsDilatedGradient(const IndexedRead::Holding &holding) {
  const bool has_gaps = !(holding.rows.dilation == 1 && holding.columns.dilation == 1);
  return holding.is_gradient() && has_gaps;
}

/// `UnpooledView<mshadow::red::maximum, DType, DType, DType, 2, 3, 2, false>`: of two axes, 3
/// columns, 2 apart; or `PackedView<DType, 2, 2>`.
std::string HoldingType(const Member &m, const IndexedRead &read) {
  const IndexedRead::Holding &holding = *read.holding;
  const std::string stride = KnownText(holding.columns.stride);
  const std::string rank = std::to_string(read.rank());
  if (!holding.is_gradient()) return "PackedView<" + m.type() + ", " + rank + ", " + stride + ">";
  std::string text = "UnpooledView<" + holding.reducer;
  for (size_t i = 0; i < 3; ++i) {
    text += ", " + (i < read.sources.size() ? TypeOfElements(m, read.sources[i]) : m.type());
  }
  return text + ", " + rank + ", " + KnownText(holding.columns.size) + ", " + stride +
         (read.sources.front().bounds.empty() ? ", false" : ", true") +
         (IsDilatedGradient(holding) ? ", true>" : ">");
}

/// A number of the launch: `in.shape[1] - 1 - mshadow::Axis(1)`.
std::string NumberText(const Member &m, const Affine &number) {
  ExprStyle style;
  style.target = ExprStyle::kPeople;  // without a type for each number
  style.type_name = [&m](Type type) { return m.rule.TypeName(type); };
  style.leaf = [&m](const Node &node) -> std::string {
    if (node.op == Op::kAxis) return "mshadow::Axis(" + std::to_string(node.dim) + ")";
    if (node.op == Op::kHoisted) return "s." + m.rule.scalar_name(node.index);
    const std::string &tensor = m.rule.param_name(node.index);
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
std::string IndexText(const Member &m, const Affine &index) {
  Affine rest = index;
  std::vector<std::string> axes;
  for (const Affine::Term &term : index.terms()) {
    const Affine axis = Multiple(Affine::Of(term.value), term.factor);
    if (!axis.has_axes()) continue;
    if (!axes.empty()) axes.push_back(NumberText(m, axis));
    if (!axes.empty()) rest = rest - axis;
    if (axes.empty()) axes.emplace_back();  // the first element also has the other terms
  }
  if (axes.size() < 2) return NumberText(m, index);
  axes.front() = NumberText(m, rest);
  return "{" + Join(axes, ", ") + "}";
}

std::string CallText(const std::string &function, const std::vector<std::string> &args) {
  return RenderList(function + "(", args, ");", kLineWidth - 2);
}

/// The statements that set a source of a read. \param view the member of the Plan, or a part of it
std::vector<std::string> SourceSet(const Member &m, const IndexedRead::Source &source,
                                   const std::string &view) {
  std::vector<std::string> lines, extents;
  for (const IndexedRead &inner : source.inner) lines = LinesOf(m, inner, view + ".inner");
  for (const Affine &extent : source.inner_extents) extents.push_back(NumberText(m, extent));
  const std::string of =
      source.tensor >= 0 ? m.rule.param_name(source.tensor) : "{" + Join(extents, ", ") + "}";
  std::vector<std::string> indices;
  for (const Affine &index : source.indices) indices.push_back(IndexText(m, index));
  lines.push_back(RenderList(view + ".Set(" + of + ", {", indices, "});", kLineWidth - 2));
  for (const IndexedRead::Bound &bound : source.bounds) {
    lines.push_back(CallText(view + (bound.leaves_out ? ".OnlyWithin" : ".Within"),
                             {IndexText(m, bound.index), NumberText(m, bound.extent)}));
  }
  if (source.rows_by >= 0) {
    lines.push_back(view + ".By(" + m.rule.param_name(source.rows_by) + ");");
  }
  return lines;
}

/// `mshadow::Moved(in).Flip(0)`, `mshadow::Joined(0, mshadow::Moved(a), mshadow::Moved(b))`.
std::string MovedSet(const Member &m, const IndexedRead::Moved &moved) {
  if (moved.tensor >= 0) return "mshadow::Moved(" + m.rule.param_name(moved.tensor) + ")";
  std::vector<std::string> args;
  for (const int dim : moved.dims) args.push_back(std::to_string(dim));
  for (const Affine &number : moved.numbers) args.push_back(NumberText(m, number));
  if (moved.shape >= 0) args.push_back(m.rule.param_name(moved.shape) + ".shape");
  if (moved.move == "BroadcastTo" && moved.shape < 0) args = {"{" + Join(args, ", ") + "}"};
  if (moved.of.size() == 1) {
    return MovedSet(m, moved.of.front()) + "." + moved.move + "(" + Join(args, ", ") + ")";
  }
  for (const IndexedRead::Moved &source : moved.of) args.push_back(MovedSet(m, source));
  return "mshadow::" + moved.move + "(" + Join(args, ", ") + ")";
}

/// The statements that set the windows, of which those that hold an element are added up.
std::vector<std::string> HoldingSet(const Member &m, const IndexedRead &read,
                                    const std::string &view) {
  const IndexedRead::Holding &holding = *read.holding;
  std::vector<std::string> lines;
  const auto windows = [&](const char *function, const IndexedRead::Windows &along) {
    const Affine reach = MultipleByLaunch(along.size - 1, along.dilation) + 1;
    std::vector<std::string> args = {"{" +
                                     Join({NumberText(m, along.place), NumberText(m, reach),
                                           NumberText(m, along.stride), NumberText(m, along.count)},
                                          ", ") +
                                     "}"};
    if (!holding.is_gradient() || IsDilatedGradient(holding)) {
      args.push_back(NumberText(m, along.size));
      args.push_back(NumberText(m, along.dilation));
    }
    if (IsDilatedGradient(holding)) args = {"{" + Join(args, ", ") + "}"};
    lines.push_back(CallText(view + function, args));
  };
  if (holding.is_gradient()) {
    static const char *const kMembers[] = {".source", ".gradient", ".pooled"};
    for (size_t i = 0; i < read.sources.size(); ++i) {
      for (std::string &line : SourceSet(m, read.sources[i], view + kMembers[i])) {
        lines.push_back(std::move(line));
      }
    }
  } else {
    const IndexedRead::Source &matrix = read.sources.front();
    lines = {
        CallText(view + ".Set", {m.rule.param_name(matrix.tensor), NumberText(m, matrix.indices[0]),
                                 NumberText(m, matrix.indices[1])})};
  }
  windows(".Rows", holding.rows);
  windows(".Columns", holding.columns);
  return lines;
}

std::string TypeOf(const Member &m, const IndexedRead &read) {
  if (read.computed) return ExpressionType(m.rule, ExpressionOf(m.rule, m.operand, read));
  if (read.moved) return MovedType(m, read);
  if (read.is_counted) return CountedType(m, read);
  if (!read.reducer.empty()) return WindowedType(m, read);
  return read.holding ? HoldingType(m, read) : JoinedType(m, read);
}

std::vector<std::string> LinesOf(const Member &m, const IndexedRead &read, std::string member) {
  if (read.moved) return {CallText(member + ".Set", {MovedSet(m, *read.moved)})};
  if (read.computed) {
    return {ExpressionSet(m.rule, m.operand, ExpressionOf(m.rule, m.operand, read), member)};
  }
  // The index of a row is split into coordinates along all axes but the last. For that the extent
  // of the first axis is not needed.
  const size_t outer = read.is_counted ? 0 : 1;
  std::vector<std::string> lines, extents;
  for (size_t a = outer; a + outer < read.rank(); ++a) {
    extents.push_back(NumberText(m, read.extents[a]));
  }
  const auto over = [&](const std::string &view) {
    if (extents.empty()) return;
    lines.push_back(RenderList(view + ".Over({", extents, "});", kLineWidth - 2));
  };
  if (read.holding) {
    lines = HoldingSet(m, read, member);
    over(member);
    return lines;
  }
  for (size_t i = 0; i < read.sources.size(); ++i) {
    const bool is_last = i + 1 == read.sources.size();
    const std::string view = member + (is_last ? "" : ".first");
    member += is_last ? "" : ".rest";
    for (std::string &line : SourceSet(m, read.sources[i], view)) {
      lines.push_back(std::move(line));
    }
    over(view);
  }
  if (!read.reducer.empty()) {
    lines.push_back(CallText(member + ".Window", {NumberText(m, read.extents[read.rank()]),
                                                  NumberText(m, read.extents[read.rank() + 1])}));
  }
  return lines;
}

}  // namespace

std::string ReadType(const PlanText &rule, int operand) {
  return TypeOf({rule, operand}, *rule.plan().operands[operand].read);
}

std::string ReadSet(const PlanText &rule, int operand) {
  const std::string member = "plan." + rule.operand_name(operand);
  return Join(LinesOf({rule, operand}, *rule.plan().operands[operand].read, member), "\n");
}

}  // namespace mgen
