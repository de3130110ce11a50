// SPDX-License-Identifier: Apache-2.0
#include "frontend/rule_scalars.h"

#include <cstdlib>
#include <cstring>

#include "frontend/clang_compat.h"
#include "frontend/expressions.h"
#include "frontend/lower_shape.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "frontend/view_rank.h"
#include "ir/builder.h"

namespace mgen {
namespace {

/// What `map` has for the variable that `e` names; null if it has nothing.
template <typename Map>
const typename Map::mapped_type *Find(const Map &map, const clang::Expr *e) {
  const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto *variable = ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
  const auto found = variable ? map.find(variable) : map.end();
  return found == map.end() ? nullptr : &found->second;
}

/// Without conversions to a base, to const or to an rvalue, and without copies of a view.
const clang::Expr *StripConversions(const clang::Expr *e) {
  for (;;) {
    e = StripWrappers(e);
    if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e)) {
      e = cast->getSubExpr();
      continue;
    }
    const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(e);
    if (construct && construct->getNumArgs() == 1 &&
        construct->getConstructor()->isCopyOrMoveConstructor()) {
      e = construct->getArg(0);
      continue;
    }
    return e;
  }
}

}  // namespace

bool IsRankConstant(const clang::Expr *e) {
  const clang::ValueDecl *decl = nullptr;
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(e)) decl = ref->getDecl();
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e)) decl = member->getMemberDecl();
  if (!decl) return false;
  const std::string name = QualifiedName(*decl);
  return name == "mshadow::Tensor::kSubdim" || name == "mshadow::Shape::kSubdim" ||
         name == "mshadow::Shape::kDimension" || name == "mshadow::expr::ExpInfo::kDim";
}

namespace {

Expr ProductOf(const std::vector<Expr> &extents) {
  Expr product = extents[0];
  for (size_t i = 1; i < extents.size(); ++i) product = MakeOp(Op::kMul, {product, extents[i]});
  return product;
}

/// `dim - 1`.
bool IsLast(const clang::Expr *index, const clang::ASTContext &ast) {
  return RankNumberOf(index, ast) == RankNumber{true, -1};
}

}  // namespace

bool MentionsRank(const clang::Stmt *e) {
  if (!e) return false;
  if (llvm::isa<clang::SubstNonTypeTemplateParmExpr>(e)) return true;
  for (const clang::Stmt *child : e->children()) {
    if (MentionsRank(child)) return true;
  }
  return false;
}

int RuleScalars::TensorOf(const clang::Expr *e) const {
  const int *param = Find(tensors_, StripConversions(e));
  return param ? *param : -1;
}

int RuleScalars::ShapeOf(const clang::Expr *e) const {
  e = StripConversions(e);
  if (const int *param = Find(shapes_, e)) return *param;
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(e);
  if (!member || member->getMemberDecl()->getNameAsString() != "shape_") return -1;
  return TensorOf(member->getBase());
}

const std::vector<Expr> *RuleScalars::NamedExtents(const clang::Expr *e) const {
  return Find(extents_, StripConversions(e));
}

void RuleScalars::RejectBeyondFormula(const SourceLocation &location, const std::string &what) {
  front()
      .diagnostics.Report(DiagId::kExpressionOnly, location, rule_.name, what)
      .Note(DiagId::kExpressionOnlyNote, location);
  throw Rejected();
}

void RuleScalars::RejectRank(const clang::Expr *e, const std::string &what, DiagId note) {
  if (rule_.is_expression) RejectBeyondFormula(front().Where(e->getSourceRange()), what);
  const SourceLocation location = front().Where(e->getSourceRange());
  front()
      .diagnostics.Report(DiagId::kRankDependent, location, what, rule_.rank_name())
      .Note(note, location);
  throw Rejected();
}

Expr RuleScalars::PartExtent(int part, int dimension) const {
  return ExtentOfPart(rule_, part, dimension);
}

Expr RuleScalars::ExtentOf(int param, int dimension) const {
  return mgen::ExtentOf(rule_, param, dimension);
}

/// The constant that `index` is, of a dimension in `e`.
int64_t RuleScalars::Constant(const clang::Expr *index, const clang::Expr *e) {
  clang::Expr::EvalResult value;
  if (!index->EvaluateAsInt(value, front().ast)) {
    RejectExpression(e, "a dimension that is not a constant", DiagId::kDimensionNote);
  }
  return value.Val.getInt().getExtValue();
}

/// The extent of the dimension \p count before the last one, `x.size(dim - 1 - count)`.
Expr RuleScalars::ExtentFromLast(int param, int count, const clang::Expr *e) {
  const Param &tensor = rule_.params[param];
  if (tensor.shape_of >= 0) return ExtentFromLast(tensor.shape_of, count, e);
  if (tensor.is_part()) RejectRank(e, "this dimension of '" + tensor.name + "'");
  return MakeDim(param, Node::kFromLast + count);
}

Expr RuleScalars::Extent(int param, const clang::Expr *index, const clang::Expr *e) {
  const Param &tensor = rule_.params[param];
  if (tensor.rank == Param::kRankParam && IsLast(index, front().ast)) {
    if (tensor.shape_of >= 0) return Extent(tensor.shape_of, index, e);
    if (!tensor.is_temporary && !tensor.is_part()) return MakeDim(param, Node::kLastDim);
    if (tensor.is_part() && tensor.view->Differs(Node::kLastDim)) {
      return PartExtent(param, Node::kLastDim);
    }
  }
  if (const auto named = RankNumberOf(index, front().ast);
      named && named->of_rule && named->number < -1 && tensor.rank == Param::kRankParam) {
    return ExtentFromLast(param, -1 - named->number, e);
  }
  const int64_t dimension = Constant(index, e);
  // A rule for any rank has a dimension 0, and no other that is known.
  // At rank 1 the dimension 0 of a part is its last one.
  const bool any_rank = tensor.rank == Param::kRankParam;
  const bool is_range = tensor.is_part() && tensor.view->LastRangeOf(Node::kLastDim) >= 0;
  if (any_rank && (dimension != 0 || is_range || MentionsRank(index) ||
                   IsRankConstant(StripConversions(index)))) {
    RejectRank(e, "this dimension of '" + tensor.name + "'");
  }
  if (dimension < 0 || dimension >= std::abs(tensor.rank)) {
    RejectExpression(e, "dimension " + std::to_string(dimension) + " of '" + tensor.name + "'");
  }
  // The shape of a temporary is said in terms of the arguments'.
  if (tensor.is_temporary && tensor.shape_of < 0) return tensor.extents[dimension];
  if (tensor.is_temporary) return Extent(tensor.shape_of, index, e);
  if (tensor.is_part()) return PartExtent(param, static_cast<int>(dimension));
  return MakeDim(param, static_cast<int>(dimension));
}

/// The number of a tensor's elements; a temporary's in terms of the arguments'.
Expr RuleScalars::SizeOf(int param, const clang::Expr *e) {
  const Param &tensor = rule_.params[param];
  if (tensor.shape_of >= 0) return SizeOf(tensor.shape_of, e);
  if (tensor.is_part() && tensor.rank == Param::kRankParam) {
    RejectRank(e, "the size of '" + tensor.name + "'");
  }
  if (tensor.is_part()) {
    Expr size = PartExtent(param, 0);
    for (int d = 1; d < tensor.rank; ++d) size = MakeOp(Op::kMul, {size, PartExtent(param, d)});
    return size;
  }
  return tensor.extents.empty() ? MakeDim(param, -1) : ProductOf(tensor.extents);
}

/// reduce_scalar<red::sum>(x) is known only when the kernel has read all of x.
void RuleScalars::RejectReduceScalar(const clang::CallExpr *e) {
  const clang::TemplateArgumentList *args = e->getDirectCallee()->getTemplateSpecializationArgs();
  std::string reducer = TypeText(front().ast, args->get(0).getAsType());
  if (reducer.rfind("mshadow::", 0) == 0) reducer.erase(0, std::strlen("mshadow::"));
  const SourceLocation location = front().Where(e->getSourceRange());
  front()
      .diagnostics.Report(DiagId::kReduction, location, "reduce_scalar")
      .Note(DiagId::kReduceScalarNote, location, reducer);
  throw Rejected();
}

Expr RuleScalars::LowerSpecial(const clang::Expr *e) {
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e)) {
    if (CalleeOf(call) == "mshadow::expr::reduce_scalar") RejectReduceScalar(call);
  }
  if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e)) {
    const clang::Expr *object = call->getImplicitObjectArgument();
    const clang::CXXMethodDecl *method = call->getMethodDecl();
    const std::string name = method ? method->getNameAsString() : "";
    if (const int param = TensorOf(object); param >= 0 && name == "size") {
      return Extent(param, call->getArg(0), e);
    }
    if (const int param = ShapeOf(object); param >= 0 && name == "Size") return SizeOf(param, e);
    if (const auto *extents = NamedExtents(object); extents && name == "Size") {
      return ProductOf(*extents);
    }
  }
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
    if (call->getOperator() == clang::OO_Subscript) {
      if (const int param = ShapeOf(call->getArg(0)); param >= 0) {
        return Extent(param, call->getArg(1), e);
      }
      if (const auto *extents = NamedExtents(call->getArg(0))) {
        const int64_t d = Constant(call->getArg(1), e);
        const bool is_there = d >= 0 && d < static_cast<int64_t>(extents->size());
        if (!is_there) RejectExpression(e, "dimension " + std::to_string(d) + " of a shape");
        return (*extents)[d];
      }
    }
  }
  const bool any_rank = TensorLowering::HasRankParam(rule_);
  const bool is_rank = llvm::isa<clang::SubstNonTypeTemplateParmExpr>(e) || IsRankConstant(e);
  if (any_rank && is_rank && !inlining()) RejectRank(e, "this value");
  return nullptr;
}

/// Where a rule calls another one, the step is its own parameter, or a number that passes now.
void LowerStepCheck(RuleScalars &scalars, const clang::CallExpr *e, Rule *rule) {
  FrontEnd &front = scalars.front();
  const SourceLocation location = front.Where(e->getSourceRange());
  if (rule->is_expression) scalars.RejectBeyondFormula(location, "MSHADOW_CHECK_STEP");
  const Expr step = scalars.Lower(e->getArg(2)->IgnoreImpCasts());
  if (step->op == Op::kLiteral) {
    const auto *number = std::get_if<int64_t>(&step->value);
    if (number != nullptr && *number >= 1) return;
  }
  Param *param = step->op == Op::kParam ? &rule->params[step->index] : nullptr;
  if (param != nullptr && param->role == Role::kStep && IsTrue(scalars.guard())) {
    param->is_checked = true;
    return;
  }
  const bool is_step = param != nullptr && param->role == Role::kStep;
  front.diagnostics
      .Report(DiagId::kUnsupportedExpression, location,
              is_step ? "MSHADOW_CHECK_STEP inside an 'if'"
                      : "MSHADOW_CHECK_STEP of a value that is not a MSHADOW_STEP parameter",
              "a rule")
      .Note(DiagId::kStepNote, location);
  throw Rejected();
}

}  // namespace mgen
