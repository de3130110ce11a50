// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_axes.h"

#include <algorithm>

#include "frontend/counted_extents.h"
#include "frontend/expressions.h"
#include "frontend/lower_view.h"
#include "frontend/reduced_axes.h"
#include "frontend/types.h"
#include "ir/builder.h"
#include "ir/effects.h"
#include "ir/walk.h"

namespace mgen {
namespace {

const clang::TemplateArgumentList *TemplateArgsOf(const clang::CallExpr *e) {
  return e->getDirectCallee()->getTemplateSpecializationArgs();
}

/// The reducer of `reduce_with_axis<Reducer, mask>(…)`.
Reducing ReducerOf(const clang::CallExpr *e) {
  return ReducingBy((*TemplateArgsOf(e))[0].getAsType());
}

}  // namespace

bool IsAxisReduction(const std::string &name) {
  return name == "mshadow::expr::reduce_with_axis" || name == "mshadow::expr::reduce_keepdim";
}

bool IsAxisBroadcast(const std::string &name) {
  return name == "mshadow::expr::broadcast_with_axis" || name == "mshadow::expr::broadcast_keepdim";
}

/// A dimension as it is written: a number, or, in a rule for any rank, the last one.
std::optional<int> AxisLowering::NumberOf(const clang::Expr *axis) const {
  const auto number = RankNumberOf(axis, front_.ast);
  if (!TensorLowering::HasRankParam(scalars_.rule())) {
    // Of a rule for any rank, called with tensors of some rank, too.
    clang::Expr::EvalResult value;
    if (!axis->EvaluateAsInt(value, front_.ast)) return std::nullopt;
    return static_cast<int>(value.Val.getInt().getExtValue());
  }
  if (!number || !number->of_rule) return std::nullopt;
  return number->number == -1 ? std::optional(ReducedAxis::kLastAxis) : std::nullopt;
}

std::optional<ReducedAxis> AxisLowering::AxisOfReduction(const clang::CallExpr *e) const {
  if (IsReduced(e->getArg(0))) return std::nullopt;  // no tensor of the rule has its shape
  const bool gives_index = (*TemplateArgsOf(e))[1].getAsIntegral().getBoolValue();
  const Reducing reducing = ReducerOf(e);
  const bool combines = reducing == Reducing::kSum || reducing == Reducing::kMax ||
                        reducing == Reducing::kMin || reducing == Reducing::kProduct;
  const std::optional<int> number = NumberOf(e->getArg(1));
  const auto element = ElementTypeOf(e->getType());
  const auto kind = element ? ScalarKindOf(front_.ast, *element) : std::nullopt;
  if (gives_index || !combines || !number || !kind || *kind == ScalarKind::kBool) {
    return std::nullopt;
  }
  const bool is_any = TensorLowering::HasRankParam(scalars_.rule());
  const bool keeps = CalleeOf(e) == "mshadow::expr::reduce_keepdim";
  const int rank = RankOf(e->getType()) + (keeps ? 0 : 1);
  if (is_any) return ReducedAxis{*number, Param::kRankParam, keeps, Node::kRows, Order::kLanes};
  if (*number < 0 || *number >= rank || rank < 2) return std::nullopt;
  return AxisOfRank(*number, rank, keeps);
}

std::optional<ReducedAxis> AxisLowering::AxisOf(const clang::Expr *e) const {
  e = Unwrapped(e);
  if (const clang::VarDecl *name = ExpressionNamedBy(e)) {
    const Alias *alias = tensors_.AliasOf(name);
    return alias ? alias->axis : std::nullopt;
  }
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  if (!call) return std::nullopt;
  if (IsAxisReduction(CalleeOf(call))) return AxisOfReduction(call);
  return MapsElements(call->getType()) ? AxisOfOperands(call) : std::nullopt;
}

/// Of all operands but numbers. A vector may stand beside what was reduced to one.
std::optional<ReducedAxis> AxisLowering::AxisOfOperands(const clang::CallExpr *e) const {
  std::optional<ReducedAxis> axis;
  bool has_vectors = false;
  for (const clang::Expr *operand : e->arguments()) {
    if (!IsExpression(operand->getType())) continue;
    if (RecordName(operand->getType()) == "mshadow::expr::ScalarExp") continue;
    const clang::Expr *inner = Unwrapped(operand);
    if (RecordName(inner->getType()) == "mshadow::expr::ScalarExp") continue;
    if (const int tensor = scalars_.TensorOf(inner); tensor >= 0) {
      if (scalars_.rule().params[tensor].rank != 1) return std::nullopt;
      has_vectors = true;
      continue;
    }
    const std::optional<ReducedAxis> next = AxisOf(operand);
    const bool is_same =
        next &&
        (!axis || (next->number == axis->number && next->keeps_dimension == axis->keeps_dimension));
    if (!is_same) return std::nullopt;
    axis = next;
  }
  const bool is_of_matrix = axis && axis->rank == 2 && !axis->keeps_dimension;
  return has_vectors && !is_of_matrix ? std::nullopt : axis;
}

/// Whether nothing in there is a view, or reads other elements than those at its place.
/// \param allowed which may be in there nevertheless
/// \param seen the names that were looked at
bool AxisLowering::IsPlain(const clang::Stmt *e, bool (*allowed)(const clang::CallExpr *),
                           Names *seen) const {
  if (!e) return true;
  if (const auto *value = llvm::dyn_cast<clang::Expr>(e)) {
    if (const clang::VarDecl *name = ExpressionNamedBy(value)) {
      if (scalars_.TensorOf(value) >= 0 || !seen->insert(name).second) return true;
      return IsPlain(name->getInit(), allowed, seen);
    }
    const auto *call = llvm::dyn_cast<clang::CallExpr>(value);
    const bool is_node = call && IsExpression(call->getType());
    if (is_node && !MapsElements(call->getType()) &&
        RecordName(call->getType()) != "mshadow::expr::ScalarExp" && !allowed(call)) {
      return false;
    }
  }
  return std::all_of(e->child_begin(), e->child_end(),
                     [&](const clang::Stmt *child) { return IsPlain(child, allowed, seen); });
}

namespace {

bool IsNoView(const clang::CallExpr *) { return false; }
/// What gives a kernel an element for each of its own, or one for many, and does not itself reduce.
bool GivesElements(const clang::CallExpr *e) {
  if (RecordName(e->getType()) == "mshadow::expr::Broadcast1DExp") return true;
  return IsView(e->getType()) && !ReducesDimension(CalleeOf(e));
}

}  // namespace

/// Whether a matrix is read in there, or a view that is one: a kernel has an element for each of
/// its.
bool AxisLowering::ReadsMatrix(const clang::Stmt *e, Names *seen) const {
  if (!e) return false;
  if (const auto *value = llvm::dyn_cast<clang::Expr>(e)) {
    const auto *member = llvm::dyn_cast<clang::MemberExpr>(value);
    const bool is_method = member && llvm::isa<clang::CXXMethodDecl>(member->getMemberDecl());
    if (!is_method && !IsExpression(value->getType())) return false;  // a shape, a number
    if (const int tensor = scalars_.TensorOf(value); tensor >= 0) {
      return scalars_.rule().params[tensor].rank == 2;
    }
    if (const clang::VarDecl *name = ExpressionNamedBy(value)) {
      return seen->insert(name).second && ReadsMatrix(name->getInit(), seen);
    }
    const bool is_view = llvm::isa<clang::CallExpr>(value) && IsView(value->getType());
    if (is_view && RankOf(value->getType()) == 2) return true;
  }
  return std::any_of(e->child_begin(), e->child_end(),
                     [&](const clang::Stmt *child) { return ReadsMatrix(child, seen); });
}

std::optional<Expr> AxisLowering::LowerReduction(const clang::CallExpr *e) {
  const std::optional<ReducedAxis> axis = AxisOfReduction(e);
  if (!axis) return std::nullopt;
  Names seen, looked_at;
  const bool is_vector = axis->rank == 2 && !axis->keeps_dimension &&
                         IsPlain(e->getArg(0), GivesElements, &seen) &&
                         ReadsMatrix(e->getArg(0), &looked_at);
  if (!tensors_.in_values() && !is_vector) return std::nullopt;
  Restore<bool> elements(tensors_.in_values());
  tensors_.in_values() = false;
  const ScalarKind element = tensors_.ElementKind(e);
  const ScalarKind sum = IsNarrowFloat(element) ? ScalarKind::kFloat32 : element;
  const Op op = ReductionOp(ReducerOf(e));
  const Expr reduced = tensors_.LowerReduced(e->getArg(0), [&](const Expr &value) {
    return MakeReduction(op, axis->kept, axis->order, MakeCast({sum}, value));
  });
  return MakeCast({element}, WithLocation(reduced, front_.Where(e->getSourceRange())));
}

namespace {

/// A `FlatTo2D()` that has this plain extent, of a tensor or of a temporary with its shape, along a
/// dimension; -1: there is none.
int MatrixAlong(const Rule &rule, const Expr &extent, int dim) {
  if (extent->op != Op::kDim) return -1;
  const bool is_last = extent->dim == rule.params[extent->index].rank - 1;
  if (dim == 0 ? extent->dim != Node::kRows : !is_last) return -1;
  for (size_t i = 0; i < rule.params.size(); ++i) {
    const std::optional<View> &view = rule.params[i].view;
    const int source = view ? view->FlatTo2D() : -1;
    if (source >= 0 && ShapeOf(rule, source) == extent->index) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

/// The tensor whose extent along the axis that was reduced is written as `size`; -1: it is none.
int AxisLowering::TensorWithExtent(const clang::Expr *size, const ReducedAxis &axis) {
  const Rule &rule = scalars_.rule();
  const bool is_last = axis.number == ReducedAxis::kLastAxis;
  const Expr extent = PlainExtent(rule, scalars_.Lower(size));
  const int tensor = TensorAlong(rule, extent, axis.rank, is_last ? Node::kLastDim : axis.number);
  return tensor < 0 && axis.rank == 2 ? MatrixAlong(rule, extent, axis.number) : tensor;
}

Expr ValueAt(const Expr &vector, const Expr &axis, const Rule &rule) {
  Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
    if (ClassOf(node->op) == OpClass::Reduce) return node;  // below it stand elements
    const bool is_vector =
        node->op == Op::kRead && IsInPlace(*node) && rule.params[node->index].rank == 1;
    if (!is_vector) return WithArgs(node, std::move(args));
    return WithLocation(MakeRead(node->index, node->type, {axis}), node->location);
  });
  return rewrite(vector);
}

bool AxisLowering::IsBroadcastOfValues(const clang::CallExpr *e) const {
  const bool is_of_matrix = RankOf(e->getType()) == 2;
  if (!is_of_matrix || CalleeOf(e) != "mshadow::expr::broadcast") return false;
  const std::optional<ReducedAxis> axis = AxisOf(e->getArg(0));
  const int dim = DimensionNamedBy(e, front_.ast);
  return axis && axis->rank == 2 && !axis->keeps_dimension &&
         axis->kept == (dim == 1 ? Node::kLastDim : dim);
}

/// Whether a tensor is read in there that the rule writes.
bool AxisLowering::ReadsWritten(const clang::Stmt *e, Names *seen) const {
  if (!e) return false;
  if (const auto *value = llvm::dyn_cast<clang::Expr>(e)) {
    if (const int tensor = scalars_.TensorOf(value); tensor >= 0) return tensors_.IsWritten(tensor);
    if (const clang::VarDecl *name = ExpressionNamedBy(value)) {
      return seen->insert(name).second && ReadsWritten(name->getInit(), seen);
    }
  }
  return std::any_of(e->child_begin(), e->child_end(),
                     [&](const clang::Stmt *child) { return ReadsWritten(child, seen); });
}

/// The axis of a matrix along which `broadcast_with_axis` repeats vectors. As a view it could not
/// read what the rule writes.
std::optional<ReducedAxis> AxisLowering::AxisBeside(const clang::CallExpr *e, int along) const {
  const bool is_matrix =
      RankOf(e->getType()) == 2 && !TensorLowering::HasRankParam(scalars_.rule());
  const clang::Expr *vector = e->getArg(0);
  Names seen, looked_at;
  if (!is_matrix || !IsPlain(vector, IsNoView, &seen) || !ReadsWritten(vector, &looked_at)) {
    return std::nullopt;
  }
  if (along == 1) return ReducedAxis{along, 2, false, 0, Order::kLanes};
  return ReducedAxis{along, 2, false, Node::kLastDim, Order::kLeaves};
}

/// The dimension of its own that a broadcast repeats; of a new one, which is said by the one
/// before.
std::optional<int> AxisLowering::AlongOf(const clang::CallExpr *e, bool keeps) const {
  if (keeps) return NumberOf(e->getArg(1));
  if (!TensorLowering::HasRankParam(scalars_.rule())) {
    const std::optional<int> before = NumberOf(e->getArg(1));
    return before ? std::optional(*before + 1) : std::nullopt;
  }
  const auto before = RankNumberOf(e->getArg(1), front_.ast);
  const bool is_last = before && before->of_rule && before->number == -2;
  return is_last ? std::optional(ReducedAxis::kLastAxis) : std::nullopt;
}

std::optional<Expr> AxisLowering::LowerBroadcast(const clang::CallExpr *e) {
  const bool keeps = CalleeOf(e) == "mshadow::expr::broadcast_keepdim";
  std::optional<ReducedAxis> axis = AxisOf(e->getArg(0));
  const std::optional<int> along = AlongOf(e, keeps);
  if (!along || tensors_.repeats_by_views()) return std::nullopt;
  if (!axis && !keeps) axis = AxisBeside(e, *along);
  if (!axis || keeps != axis->keeps_dimension || *along != axis->number) return std::nullopt;
  const int like = TensorWithExtent(e->getArg(2), *axis);
  if (like < 0) return std::nullopt;
  Restore<bool> values(tensors_.in_values());
  tensors_.in_values() = true;
  const Expr value = tensors_.Lower(e->getArg(0));
  const bool is_last = axis->number == ReducedAxis::kLastAxis;
  tensors_.fitting().push_back(MakeDim(like, is_last ? Node::kLastDim : axis->number));
  return ValueAt(value, MakeAxis(axis->kept), scalars_.rule());
}

}  // namespace mgen
