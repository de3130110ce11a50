// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_index.h"

#include <algorithm>

#include "frontend/advice.h"
#include "frontend/clang_compat.h"
#include "frontend/counted_extents.h"
#include "frontend/lower_shape.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "frontend/view_rank.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// Whether `e` is the number `value`, perhaps as a default argument.
bool IsNumber(const clang::Expr *e, double value, const clang::ASTContext &ast) {
  if (const auto *argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(e)) e = argument->getExpr();
  clang::Expr::EvalResult result;
  if (e->isValueDependent() || !e->EvaluateAsRValue(result, ast)) return false;
  if (result.Val.isInt()) return result.Val.getInt() == static_cast<int64_t>(value);
  return result.Val.isFloat() && result.Val.getFloat().convertToDouble() == value;
}

bool IsAxis(const Expr &index, int dim) { return index->op == Op::kAxis && index->dim == dim; }

/// What an element of a matrix is at the column that vector `by` names, as an element of a vector:
/// the last axis becomes the index, and what the element says of its column is said of the index.
class ColumnRewriter {
 public:
  ColumnRewriter(const Rule &rule, int by) : rule_(rule), by_(by) {}

  Expr operator()(const Expr &value) const {
    Rewriter rewrite([this](const Expr &node, std::vector<Expr> args) {
      return WithLocation(At(*node, WithArgs(node, std::move(args))), node->location);
    });
    return rewrite(value);
  }

  /// The index itself.
  Expr Index() const { return MakeCast(kIndexType, MakeRead(by_, rule_.params[by_].type)); }

 private:
  Expr At(const Node &node, const Expr &same) const {
    if (node.op == Op::kAtColumn) {
      return MakeOp(Op::kEq, {MakeCast(kIndexType, same->args[0]), Index()});
    }
    if (node.op == Op::kIndex && rule_.params[node.index].rank == 2 && node.dim == 1) {
      return MakeCast(node.type, MakeCast({ScalarKind::kFloat64}, Index()));
    }
    if (node.op == Op::kAxis && node.dim == Node::kLastDim) return Index();
    if (node.op != Op::kRead) return same;
    if (node.args.empty()) return MakeRead(node.index, node.type, {MakeAxis(0), Index()});
    const bool is_in_place = same->args.size() == 1 && IsAxis(same->args[0], 0);
    return is_in_place ? MakeRead(node.index, node.type) : same;
  }

  const Rule &rule_;
  const int by_;
};

}  // namespace

/// The dimension that `e` is the extent of, as a kDim: dimension `along.dim` of a tensor of this
/// rank, or of a temporary that has it from another dimension.
Expr IndexLowering::LowerExtent(const clang::Expr *e, const TensorLowering::Along &along,
                                const std::string &name, const std::string &instead) {
  const Expr extent = PlainExtent(scalars_.rule(), scalars_.Lower(e));
  const SourceLocation location = front_.Where(e->getSourceRange());
  const int tensor = TensorAlong(scalars_.rule(), extent, along.rank, along.dim);
  const bool is_dim = extent->op == Op::kDim && extent->dim >= 0 && extent->dim < Node::kFromLast;
  if (tensor < 0 && !is_dim) RejectExtent(location, name, instead);
  const Expr counted = tensor < 0 ? extent : MakeDim(tensor, along.dim);
  tensors_.counts().push_back({counted->index, location, name, instead});
  return counted;
}

void IndexLowering::RejectExtent(const SourceLocation &location, const std::string &name,
                                 const std::string &instead) {
  front_.diagnostics.Report(DiagId::kExtent, location, name)
      .Note(DiagId::kExtentNote, location, instead);
  throw Rejected();
}

/// range<DType>(0, t.size(d)): the numbers of the elements along a dimension.
Expr IndexLowering::LowerRange(const clang::CallExpr *e) {
  const TensorLowering::Along &along = tensors_.along();
  const std::string instead = "range<float>(0, " + TensorOfRank(scalars_.rule(), along.rank) +
                              ".size(" + std::to_string(along.dim) + ")), and scale and shift that";
  const ScalarKind element = tensors_.ElementKind(e);
  const bool counts = IsNumber(e->getArg(0), 0, front_.ast) &&
                      IsNumber(e->getArg(2), 1, front_.ast) &&
                      IsNumber(e->getArg(3), 1, front_.ast) && element != ScalarKind::kBool;
  const SourceLocation location = front_.Where(e->getSourceRange());
  if (!counts) RejectExtent(location, "range", instead);
  if (TensorLowering::HasRankParam(scalars_.rule())) scalars_.RejectRank(e, "this range");
  const Expr extent = LowerExtent(e->getArg(1), along, "range", instead);
  return WithLocation(MakeIndex({element}, extent->index, extent->dim), location);
}

/// The vector of indices `e` as a value of the row.
Expr IndexLowering::LowerIndices(const clang::Expr *e) {
  if (TensorLowering::HasRankParam(scalars_.rule()))
    scalars_.RejectRank(e, "a matrix of rows with indices");
  tensors_.ElementKind(e);
  return LowerAt(e, MakeAxis(0));
}

/// one_hot_encode<DType>(indices, m.size(1)): no gather, but a comparison of each column's number.
/// If it is reduced, no matrix need have as many columns. Then it is a view.
Expr IndexLowering::LowerOneHot(const clang::CallExpr *e) {
  const std::vector<std::string> types = scalars_.rule().type_params();
  const std::string instead = "one_hot_encode<" + (types.empty() ? "float" : types.front()) + ">(" +
                              TextOr(front_, e->getArg(0), "indices") + ", " +
                              TensorOfRank(scalars_.rule(), 2) + ".size(1))";
  const Expr indices = LowerIndices(e->getArg(0));
  const Expr extent = LowerExtent(e->getArg(1), {2, 1}, "one_hot_encode", instead);
  const SourceLocation location = front_.Where(e->getSourceRange());
  const bool is_columns = scalars_.rule().params[extent->index].rank == 2 && extent->dim == 1;
  if (!is_columns && !tensors_.in_reduced()) RejectExtent(location, "one_hot_encode", instead);
  if (indices->type == kBoolType) tensors_.RejectNode(e);
  if (!is_columns) {
    tensors_.counts().pop_back();
    return tensors_.LowerView(e);
  }
  return WithLocation(MakeCast({tensors_.ElementKind(e)}, MakeOp(Op::kAtColumn, {indices})),
                      location);
}

/// mat_fill_row_element(e, values, indices).
Expr IndexLowering::LowerFill(const clang::CallExpr *e) {
  const Expr indices = LowerIndices(e->getArg(2));
  if (indices->type == kBoolType) tensors_.RejectNode(e);
  const Expr value = LowerAt(e->getArg(1), MakeAxis(0));
  const Expr filled =
      MakeSelect(MakeOp(Op::kAtColumn, {indices}), value, tensors_.Lower(e->getArg(0)));
  return WithLocation(filled, front_.Where(e->getSourceRange()));
}

/// mat_choose_row_element(e, indices): e, read at the columns that the indices name. Where no
/// column has the index a CPU throws and a GPU gives 0, as a gather does by itself.
Expr IndexLowering::LowerChoose(const clang::CallExpr *e) {
  const Rule &rule = scalars_.rule();
  const SourceLocation location = front_.Where(e->getSourceRange());
  const int by = scalars_.TensorOf(e->getArg(1));
  if (TensorLowering::HasRankParam(rule)) scalars_.RejectRank(e, "a matrix of rows with indices");
  if (by < 0 || rule.params[by].is_temporary || rule.params[by].type == kBoolType) {
    const SourceLocation place = front_.Where(e->getArg(1)->getSourceRange());
    front_.diagnostics.Report(DiagId::kIndexTensor, place, "mat_choose_row_element")
        .Note(DiagId::kIndexTensorNote, place);
    throw Rejected();
  }
  const std::vector<Expr> fitting = tensors_.fitting();
  const Expr source = tensors_.Lower(e->getArg(0));
  tensors_.fitting() = fitting;  // what it does not read has rows, but no elements here
  int matrix = -1;
  ForEachNode(source, [&](const Expr &node) {
    if (node->op == Op::kRead && rule.params[node->index].rank == 2) matrix = node->index;
  });
  if (matrix < 0)
    return tensors_.LowerView(e);  // of vectors and numbers alone: no row is there to read
  const ColumnRewriter at_index(rule, by);
  const Expr chosen = at_index(source);
  const Node *core = chosen.get();
  while (core->op == Op::kCast) core = core->args[0].get();
  if (core->op == Op::kRead && IsGather(*core)) return WithLocation(chosen, location);
  const Expr index = at_index.Index();
  const Expr within = MakeOp(Op::kAnd, {MakeOp(Op::kGe, {index, MakeLiteral(kIndexType, 0)}),
                                        MakeOp(Op::kLt, {index, MakeDim(matrix, 1)})});
  return WithLocation(MakeSelect(within, chosen, MakeLiteral(chosen->type, 0)), location);
}

/// A number in a vector that the broadcast `e` spreads over more than a matrix. Kernels know only
/// rows and columns, so that it is a view: broadcast<1>(range<float>(0, in.size(1)), in.shape_).
Expr IndexLowering::LowerNumber(const clang::CallExpr *e, const Node &number) {
  const int shape = scalars_.ShapeOf(e->getArg(1));
  if (shape < 0 || !scalars_.rule().params[shape].is_argument()) {
    const std::string like = TensorOfRank(scalars_.rule(), RankOf(e->getType()));
    RejectExtent(number.location, "range", "the shape of a parameter, as in '" + like + ".shape_'");
  }
  const int64_t from_last = (*TemplateArgs(e->getType()))[3].getAsIntegral().getExtValue();
  Param param;
  param.is_tensor = param.is_const = true;
  param.type = number.type;
  param.rank = RankOf(e->getType());
  param.location = number.location;
  View view;
  view.text = "mshadow::expr::broadcast<" + std::to_string(param.rank - from_last) +
              ">(mshadow::expr::range<$0>($1, $2), $3)";
  const Expr end = MakeCast({ScalarKind::kFloat64}, MakeDim(number.index, number.dim));
  view.operands = {{View::Operand::kType, -1, nullptr, number.type},
                   {View::Operand::kScalar, -1, MakeLiteral(kIntType, 0), {}},
                   {View::Operand::kScalar, -1, end, {}},
                   {View::Operand::kShape, shape, nullptr, {}}};
  param.view = std::move(view);
  const std::string name = scalars_.rule().params[shape].name + "_range";
  return WithLocation(MakeRead(tensors_.add_view()(name, std::move(param)), number.type),
                      number.location);
}

/// The element of vector expression `e` with the coordinate `index`.
/// \param broadcast over more than a matrix; null: over less
Expr IndexLowering::LowerAt(const clang::Expr *e, const Expr &index,
                            const clang::CallExpr *broadcast) {
  const size_t before = tensors_.fitting().size();
  Restore<bool> values(tensors_.in_values());
  tensors_.in_values() = true;
  const Expr vector = tensors_.Lower(e);
  const bool is_row = IsAxis(index, Node::kLastDim);
  Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
    if (ClassOf(node->op) == OpClass::Reduce) return node;  // below it stand elements
    if (node->op == Op::kAxis) return index;
    if (node->op == Op::kIndex) return LowerIndexAt(node, is_row, broadcast);
    if (node->op != Op::kRead) return WithArgs(node, std::move(args));
    if (IsGather(*node) && !IsAxis(index, 0)) tensors_.RejectNode(e);
    if (!node->args.empty()) return WithArgs(node, std::move(args));
    return WithLocation(MakeRead(node->index, node->type, {index}), node->location);
  });
  for (size_t i = before; i < tensors_.fitting().size(); ++i) {
    Expr &unread = tensors_.fitting()[i];
    if (unread->op == Op::kRead) unread = rewrite(unread);
  }
  return rewrite(vector);
}

/// The number of an element of a vector that is broadcast, along the columns if `is_row`.
Expr IndexLowering::LowerIndexAt(const Expr &number, bool is_row,
                                 const clang::CallExpr *broadcast) {
  if (broadcast) return LowerNumber(broadcast, *number);
  const Rule &rule = scalars_.rule();
  const int dim = is_row ? 1 : 0;
  if (rule.params[number->index].rank != 2 || number->dim != dim) {
    RejectExtent(
        number->location, "range",
        "range<float>(0, " + TensorOfRank(rule, 2) + ".size(" + std::to_string(dim) + "))");
  }
  return number;
}

namespace {

/// The dimension that the broadcast `e` spreads a vector along.
TensorLowering::Along AlongOf(const clang::CallExpr *e) {
  const clang::TemplateArgumentList *args = TemplateArgs(e->getType());
  const auto rank = static_cast<int>((*args)[2].getAsIntegral().getExtValue());
  return {rank, rank - static_cast<int>((*args)[3].getAsIntegral().getExtValue())};
}

}  // namespace

Expr IndexLowering::LowerBroadcast(const clang::CallExpr *e, const std::string &name) {
  const Expr index = name == "broadcast_scalar" ? MakeLiteral(kIndexType, 0) : BroadcastAxis(e);
  CheckBroadcastShape(e, name);
  Restore<TensorLowering::Along> along(tensors_.along());
  if (name != "broadcast_scalar") tensors_.along() = AlongOf(e);
  return LowerAt(e->getArg(0), index, RankOf(e->getType()) > 2 ? e : nullptr);
}

/// The axis that Broadcast1DExp<Source, DType, rank, rank - axis> reads its vector along.
Expr IndexLowering::BroadcastAxis(const clang::CallExpr *e) {
  const clang::TemplateArgumentList *args = TemplateArgs(e->getType());
  const int64_t rank = (*args)[2].getAsIntegral().getExtValue();
  const int64_t from_last = (*args)[3].getAsIntegral().getExtValue();
  if (TensorLowering::HasRankParam(scalars_.rule())) {
    // The instance has rank 2; for others only `broadcast<dim - 1>` means the same.
    if (from_last != 1 || !NamesRank(e)) scalars_.RejectRank(e, "this broadcast");
  }
  if (from_last == 1) return MakeAxis(Node::kLastDim);
  return MakeAxis(static_cast<int>(rank - from_last));
}

void IndexLowering::CheckBroadcastShape(const clang::CallExpr *e, const std::string &name) {
  const clang::Expr *shape = e->getArg(1);
  bool known = false;
  if (name == "repmat") {
    Expr rows = scalars_.Lower(shape);
    while (rows->op == Op::kCast || rows->op == Op::kLocal) {
      rows = rows->op == Op::kCast ? rows->args[0] : scalars_.rule().prologue[rows->index].value;
    }
    known = rows->op == Op::kDim && rows->dim == 0 && scalars_.rule().params[rows->index].rank == 2;
  } else {
    int like = scalars_.ShapeOf(shape);
    if (like < 0) like = TensorThatMakes(scalars_, shape);
    known = like >= 0;
    if (known) tensors_.fitting().push_back(MakeDim(like, -1));
  }
  if (known) return;
  RejectBroadcastShape(e, name);
}

/// The broadcast to write of a vector to a matrix where no tensor of the rule is one.
std::string IndexLowering::BroadcastAlongNewAxis(const clang::CallExpr *e) {
  const bool is_row = (*TemplateArgs(e->getType()))[3].getAsIntegral().getExtValue() == 1;
  const clang::CallExpr *shape = CallOfShape(e->getArg(1), 2);
  const clang::Expr *extent = shape ? shape->getArg(is_row ? 0 : 1) : nullptr;
  return "broadcast_with_axis(" + TextOr(front_, e->getArg(0), "vector") +
         (is_row ? ", -1, " : ", 0, ") + (extent ? TextOr(front_, extent, "size") : "size") + ")";
}

void IndexLowering::RejectBroadcastShape(const clang::CallExpr *e, const std::string &name) {
  const Rule &rule = scalars_.rule();
  const bool is_any = TensorLowering::HasRankParam(rule);
  const int rank = RankOf(e->getType());
  const std::string like = TensorOfRank(rule, is_any ? Param::kRankParam : rank);
  std::string dimension;
  if (name == "broadcast") {
    const int64_t from_last = (*TemplateArgs(e->getType()))[3].getAsIntegral().getExtValue();
    dimension =
        "<" + (is_any ? RankText(rule.rank_name(), -1) : std::to_string(rank - from_last)) + ">";
  }
  const SourceLocation location = front_.Where(e->getArg(1)->getSourceRange());
  const bool is_new = name == "broadcast" && rank == 2 && !is_any && !HasTensorOfRank(rule, rank);
  front_.diagnostics.Report(DiagId::kBroadcastShape, location, name)
      .Note(DiagId::kBroadcastShapeNote, location,
            is_new ? BroadcastAlongNewAxis(e)
                   : name + dimension + "(" + TextOr(front_, e->getArg(0), "vector") + ", " + like +
                         (name == "repmat" ? ".size(0))" : ".shape_)"));
  throw Rejected();
}

}  // namespace mgen
