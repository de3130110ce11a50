// SPDX-License-Identifier: Apache-2.0
#include "ir/extents.h"

#include <string>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/effects.h"
#include "ir/printer.h"
#include "ir/view_call.h"
#include "ir/walk.h"

namespace mgen {

Expr OfArguments(const Rule &rule, Expr value) {
  bool is_known = true;
  Rewriter without_locals([&rule, &is_known](const Expr &node, std::vector<Expr> args) {
    is_known = is_known && node->op != Op::kParam;
    return node->op == Op::kLocal ? rule.prologue[node->index].value
                                  : WithArgs(node, std::move(args));
  });
  // A local's value may name other locals.
  for (Expr last; value != last;) {
    last = value;
    value = without_locals(last);
  }
  return is_known ? value : nullptr;
}

namespace {

/// How many rows a part of a tensor of any rank has: a range of the first dimension has its share.
Expr RowsOfPart(const Rule &rule, int part) {
  const View &view = *rule.params[part].view;
  const Expr rows = ExtentOf(rule, view.Sources().front(), Node::kRows);
  if (view.LastRangeOf(0) < 0) return rows;
  const Expr first =
      MakeOp(Op::kMax, {ExtentOf(rule, view.Sources().front(), 0), MakeLiteral(kIndexType, 1)});
  return MakeOp(Op::kMul, {ExtentOfPart(rule, part, 0), MakeOp(Op::kDiv, {rows, first})});
}

/// The product of all extents but the last.
Expr RowsOf(const Rule &rule, int tensor) {
  const Param &param = rule.params[tensor];
  if (!param.is_part() && !param.is_temporary) return MakeDim(tensor, Node::kRows);
  if (param.shape_of >= 0) return RowsOf(rule, param.shape_of);
  if (param.rank == Param::kRankParam) return RowsOfPart(rule, tensor);
  Expr rows = ExtentOf(rule, tensor, 0);
  for (int d = 1; d + 1 < param.rank; ++d) {
    rows = MakeOp(Op::kMul, {rows, ExtentOf(rule, tensor, d)});
  }
  return rows;
}

/// The tensor whose shape a reshaped tensor has; -1 if extents say its shape.
int ShapeOfReshaped(const Param &param) {
  if (!param.is_part() || !param.view->is_reshaped) return -1;
  for (const View::Operand &operand : param.view->operands) {
    if (operand.kind == View::Operand::kShape) return operand.param;
  }
  return -1;
}

/// The product of all extents but one; of all if `but` is -1.
Expr ExtentOfRest(const Rule &rule, int tensor, int but) {
  Expr product;
  for (int d = 0; d < rule.params[tensor].rank; ++d) {
    if (d == but) continue;
    const Expr extent = ExtentOf(rule, tensor, d);
    product = product == nullptr ? extent : MakeOp(Op::kMul, {product, extent});
  }
  return product;
}

/// An extent of `reshape(tensor, Shape2(…))`, `tensor.FlatTo1D()` or `tensor.FlatTo2D()`, or of the
/// column that is a diagonal.
Expr ExtentOfReshaped(const Rule &rule, const View &view, int dimension) {
  const ViewCall call = *ParseViewCall(view);
  const int source = view.Sources().front(), rank = rule.params[source].rank;
  if (DiagonalIn(view)) {
    return dimension == 0 ? ExtentOf(rule, source, 0) : MakeLiteral(kIndexType, 1);
  }
  if (call.name == ".FlatTo1D") return ExtentOfRest(rule, source, /*but=*/-1);
  if (call.name == ".FlatTo2D") {
    if (dimension == 1) return ExtentOf(rule, source, rank - 1);
    return rank == 1 ? MakeLiteral(kIndexType, 1) : RowsOf(rule, source);
  }
  const ViewCall &extent = call.args[1].args[static_cast<size_t>(dimension)];
  return view.operands[static_cast<size_t>(extent.operand)].value;
}

}  // namespace

Expr ExtentOf(const Rule &rule, int tensor, int dimension) {
  const int shape = ShapeOfReshaped(rule.params[tensor]);
  if (shape >= 0) return ExtentOf(rule, shape, dimension);
  if (dimension <= Node::kRest) return ExtentOfRest(rule, tensor, Node::kRest - dimension);
  if (dimension == Node::kRows) return RowsOf(rule, tensor);
  const Param &param = rule.params[tensor];
  if (param.is_part()) return ExtentOfPart(rule, tensor, dimension);
  if (!param.is_temporary) return MakeDim(tensor, dimension);
  // Its shape is said in terms of the arguments'.
  if (param.shape_of >= 0) return ExtentOf(rule, param.shape_of, dimension);
  return dimension == Node::kLastDim ? param.extents.back() : param.extents[dimension];
}

Expr ExtentOfPart(const Rule &rule, int part, int dimension) {
  const View &view = *rule.params[part].view;
  if (ShapeOfReshaped(rule.params[part]) >= 0) return ExtentOf(rule, part, dimension);
  if (view.is_reshaped && dimension == Node::kLastDim) dimension = rule.params[part].rank - 1;
  if (view.is_reshaped) return ExtentOfReshaped(rule, view, dimension);
  if (view.is_flat) return ExtentOfRest(rule, view.Sources().front(), /*but=*/-1);
  if (view.names_rows && dimension == 0) return ExtentOf(rule, view.Indices(), 0);
  const int range = view.LastRangeOf(dimension);
  if (range < 0) return ExtentOf(rule, view.Sources().front(), dimension);
  const Expr &begin = view.Begin(range), &end = view.End(range);
  const bool is_from_first = begin->op == Op::kLiteral && begin->value == LiteralValue(int64_t{0});
  return is_from_first ? end : MakeOp(Op::kSub, {end, begin});
}

namespace {

/// What a vector along a dimension has a value for.
std::optional<Length> LengthAlong(int rank, int dim) {
  if (rank == 2 && dim == 0) return Length{Length::kRows};
  if (rank >= 2 && dim == rank - 1) return Length{Length::kColumns};
  if (rank > 2 && dim >= 0) return Length{Length::kChannels, dim};
  return std::nullopt;
}

/// What a vector is that is as long as the range of a part; nothing if it is as long as none.
std::optional<Length> LengthAlongPart(const Rule &rule, const Param &vector) {
  const std::string extent = Print(vector.extents.front(), rule);
  for (size_t i = 0; i < rule.params.size(); ++i) {
    const Param &part = rule.params[i];
    if (!part.is_part() || part.rank == Param::kRankParam) continue;
    for (int dim = 0; dim < part.rank; ++dim) {
      if (!part.view->Differs(dim)) continue;
      const Expr own = OfArguments(rule, ExtentOfPart(rule, static_cast<int>(i), dim));
      if (own && Print(own, rule) == extent) return LengthAlong(part.rank, dim);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Length> LengthOf(const Rule &rule, const Param &vector) {
  if (vector.rank != 1 || vector.extents.empty()) return std::nullopt;
  Expr extent = vector.extents.front();
  while (extent->op == Op::kCast) extent = extent->args[0];
  if (extent->op == Op::kLiteral && extent->value == LiteralValue(int64_t{1})) {
    return Length{Length::kOne};
  }
  std::optional<Length> along;
  if (extent->op == Op::kDim && extent->dim == Node::kLastDim) along = Length{Length::kColumns};
  if (extent->op == Op::kDim && extent->dim == Node::kRows) along = Length{Length::kRows};
  if (extent->op == Op::kDim && !along) {
    along = LengthAlong(rule.params[extent->index].rank, extent->dim);
  }
  return along ? along : LengthAlongPart(rule, vector);
}

const Param *WidestArgument(const Rule &rule) {
  const Param *widest = nullptr;
  for (const Stage &stage : rule.stages) {
    for (const int tensor : EffectsOf(stage.body).used()) {
      const Param &param = rule.params[tensor];
      if (!param.is_argument()) continue;
      if (param.rank == Param::kRankParam) return &param;
      if (widest == nullptr || param.rank > widest->rank) widest = &param;
    }
  }
  return widest;
}

namespace {

/// The shape that InitOfTemporary names.
std::string ShapeOfTemporary(const Rule &rule, const Param &temporary, Length::Kind each) {
  if (temporary.rank != 1) return TensorOfRank(rule, temporary.rank) + ".shape_";
  if (each == Length::kOne) return "Shape1(1)";
  const Param *like = WidestArgument(rule);
  if (like == nullptr || like->rank == 1) return "Shape1(" + TensorOfRank(rule, 2) + ".size(0))";
  const bool is_any = like->rank == Param::kRankParam;
  const std::string last = is_any ? RankText(rule.rank_name(), -1) : std::to_string(like->rank - 1);
  const std::string dim = each == Length::kColumns    ? last
                          : each == Length::kChannels ? std::to_string(ChannelDimOf(rule))
                                                      : "0";
  return "Shape1(" + like->name + ".size(" + dim + "))";
}

}  // namespace

std::string InitOfTemporary(const Rule &rule, const Param &temporary, Length::Kind each) {
  const std::string stream = TensorOfRank(rule, temporary.rank) + ".stream_";
  return temporary.name + "(" + ShapeOfTemporary(rule, temporary, each) + ", " + stream + ")";
}

}  // namespace mgen
