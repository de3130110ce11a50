// SPDX-License-Identifier: Apache-2.0
#include "frontend/view_rank.h"

#include <algorithm>
#include <string>

#include "frontend/clang_compat.h"
#include "frontend/types.h"

namespace mgen {
namespace {

constexpr int kInstanceRank = 2;  // of which Clang sees a rule for any

/// What the functions of mshadow give that do not give the rank of their operands.
struct Known {
  const char *name;
  enum {
    kOfSource,
    kOfShape,
    kOfFirstShape,
    kFixed
  } kind;      ///< of the first argument, of the second one, of the first one, `number`
  int number;  ///< of kOfSource: besides
};

const Known *FindKnown(const std::string &name) {
  static const Known kKnown[] = {
      {"mshadow::expr::broadcast", Known::kOfShape, 0},
      {"mshadow::expr::broadcast_scalar", Known::kOfShape, 0},
      {"mshadow::expr::broadcast_with_axis", Known::kOfSource, 1},
      {"mshadow::expr::diag", Known::kFixed, 1},
      {"mshadow::expr::implicit_dot", Known::kFixed, 2},
      {"mshadow::expr::mask", Known::kFixed, 2},
      {"mshadow::expr::mat_choose_row_element", Known::kFixed, 1},
      {"mshadow::expr::mat_fill_row_element", Known::kFixed, 2},
      {"mshadow::expr::one_hot_encode", Known::kFixed, 2},
      {"mshadow::expr::pack_col2patch", Known::kOfShape, 0},
      {"mshadow::expr::random_bernoulli", Known::kOfFirstShape, 0},
      {"mshadow::expr::random_bits", Known::kOfFirstShape, 0},
      {"mshadow::expr::random_normal", Known::kOfFirstShape, 0},
      {"mshadow::expr::random_uniform", Known::kOfFirstShape, 0},
      {"mshadow::expr::range", Known::kFixed, 1},
      {"mshadow::expr::reduce_with_axis", Known::kOfSource, -1},
      {"mshadow::expr::repmat", Known::kFixed, 2},
      {"mshadow::expr::reshape", Known::kOfShape, 0},
      {"mshadow::expr::scatter_columns", Known::kFixed, 2},
      {"mshadow::expr::take", Known::kFixed, 2},
      {"mshadow::expr::unpack_patch2col", Known::kFixed, 2},
  };
  const auto known = std::find_if(std::begin(kKnown), std::end(kKnown),
                                  [&name](const Known &k) { return name == k.name; });
  return known == std::end(kKnown) ? nullptr : known;
}

bool IsAmong(const std::string &name, std::initializer_list<const char *> names) {
  return std::any_of(names.begin(), names.end(),
                     [&name](const char *n) { return name == std::string("mshadow::expr::") + n; });
}

/// The dimensions that it takes are template arguments.
bool NamesDimensions(const std::string &name) {
  return IsAmong(name, {"broadcast", "concat", "slice", "swapaxis"});
}

/// The shapes that it takes are of the rank of its source.
bool TakesShapesOfSource(const std::string &name) {
  return IsAmong(name, {"broadcast_to", "slice", "transpose", "transpose_indices"});
}

/// It looks at the last two dimensions.
bool TakesImages(const std::string &name) {
  return IsAmong(name, {"crop", "pad", "pool", "unpool", "upsampling_nearest"});
}

/// It looks at the third dimension from the last.
bool TakesChannels(const std::string &name) { return IsAmong(name, {"chpool", "ch_unpool"}); }

bool DependsOnRank(const clang::Stmt *e) {
  if (!e) return false;
  if (llvm::isa<clang::SubstNonTypeTemplateParmExpr>(e)) return true;
  const auto *value = llvm::dyn_cast<clang::Expr>(e);
  return (value && IsRankConstant(value)) ||
         std::any_of(e->child_begin(), e->child_end(), DependsOnRank);
}

RankNumber RankOfParam(const Param &param) {
  if (param.rank == Param::kRankParam) return {true, 0};
  return {false, param.rank};
}

std::vector<const clang::Expr *> ExpressionsIn(const clang::CallExpr *e) {
  std::vector<const clang::Expr *> operands;
  for (const clang::Expr *arg : e->arguments()) {
    if (IsExpression(arg->getType())) operands.push_back(arg);
  }
  return operands;
}

/// Of a call, as it was written; null if it is no expression.
const clang::Expr *FirstTemplateArgument(const clang::Expr *e) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(StripWrappers(e));
  const auto *callee =
      call ? llvm::dyn_cast<clang::DeclRefExpr>(StripWrappers(call->getCallee()->IgnoreImpCasts()))
           : nullptr;
  const bool is_written = callee && callee->getNumTemplateArgs() > 0;
  return is_written ? SourceOf(callee->template_arguments()[0]) : nullptr;
}

}  // namespace

const clang::Expr *SourceOf(const clang::TemplateArgumentLoc &argument) {
  switch (argument.getArgument().getKind()) {
    case clang::TemplateArgument::Expression:
      return argument.getSourceExpression();
    case clang::TemplateArgument::Integral:
      return argument.getSourceIntegralExpression();
    default:
      return nullptr;
  }
}

bool NamesRank(const clang::Expr *e) { return MentionsRank(FirstTemplateArgument(e)); }

int DimensionNamedBy(const clang::CallExpr *e, const clang::ASTContext &ast) {
  if (NamesRank(e)) {
    const std::optional<RankNumber> dim = RankNumberOf(FirstTemplateArgument(e), ast);
    return dim && dim->of_rule && dim->number == -1 ? Node::kLastDim : kOtherDim;
  }
  const clang::TemplateArgumentList &args = *e->getDirectCallee()->getTemplateSpecializationArgs();
  return static_cast<int>(args[0].getAsIntegral().getExtValue());
}

std::optional<RankNumber> RankNumberOf(const clang::Expr *e, const clang::ASTContext &ast) {
  e = StripWrappers(e);
  while (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    e = StripWrappers(cast->getSubExpr());
  }
  if (llvm::isa<clang::SubstNonTypeTemplateParmExpr>(e)) return RankNumber{true, 0};
  const auto *sum = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (sum && DependsOnRank(sum) &&
      (sum->getOpcode() == clang::BO_Add || sum->getOpcode() == clang::BO_Sub)) {
    const auto left = RankNumberOf(sum->getLHS(), ast), right = RankNumberOf(sum->getRHS(), ast);
    const int sign = sum->getOpcode() == clang::BO_Add ? 1 : -1;
    if (!left || !right || (left->of_rule && right->of_rule)) return std::nullopt;
    if (right->of_rule && sign < 0) return std::nullopt;
    return RankNumber{true, left->number + sign * right->number};
  }
  clang::Expr::EvalResult value;
  const bool is_constant =
      !DependsOnRank(e) && !e->isValueDependent() && e->EvaluateAsInt(value, ast);
  if (!is_constant) return std::nullopt;
  return RankNumber{false, static_cast<int>(value.Val.getInt().getExtValue())};
}

void ViewRanks::Require(RankNumber rank, int least) {
  if (rank.of_rule) least_ = std::max(least_, least - rank.number);
}

std::optional<RankNumber> ViewRanks::Of(const clang::Expr *e) {
  e = StripWrappers(e);
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e)) return Of(cast->getSubExpr());
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const int param = scalars_.TensorOf(name);
    if (param >= 0) return RankOfParam(scalars_.rule().params[param]);
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable && variable->getInit() ? Of(variable->getInit()) : std::nullopt;
  }
  if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e)) return OfMember(call);
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) return OfOperator(call);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e)) return OfCall(call);
  const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(e);
  if (construct && construct->getNumArgs() == 1) return Of(construct->getArg(0));
  return std::nullopt;
}

std::optional<RankNumber> ViewRanks::OfMember(const clang::CXXMemberCallExpr *e) {
  const clang::CXXMethodDecl *method = e->getMethodDecl();
  const std::string name = method ? method->getNameAsString() : "";
  const auto object = Of(e->getImplicitObjectArgument());
  if (!object || (name == "T" && object->of_rule)) return std::nullopt;
  if (name == "FlatTo1D") return RankNumber{false, 1};
  if (name == "FlatTo2D") return RankNumber{false, 2};
  return object;
}

std::optional<RankNumber> ViewRanks::OfOperator(const clang::CXXOperatorCallExpr *e) {
  if (e->getOperator() != clang::OO_Subscript) return OfElements(e, ExpressionsIn(e));
  const auto object = Of(e->getArg(0));
  if (!object) return std::nullopt;
  Require(*object, 2);
  return RankNumber{object->of_rule, object->number - 1};
}

/// What is computed of elements at the same places is of the rank of all its operands.
std::optional<RankNumber> ViewRanks::OfElements(const clang::Expr *e,
                                                const std::vector<const clang::Expr *> &operands) {
  std::optional<RankNumber> rank;
  for (const clang::Expr *operand : operands) {
    if (RecordName(operand->getType()) == "mshadow::expr::ScalarExp") continue;
    const auto next = Of(operand);
    if (!next || (rank && !(*rank == *next))) return std::nullopt;
    rank = next;
  }
  // Of numbers alone.
  return rank ? rank : RankNumber{false, RankOf(e->getType())};
}

std::optional<RankNumber> ViewRanks::OfShape(const clang::Expr *e) const {
  const int param = scalars_.ShapeOf(e);
  if (param >= 0) return RankOfParam(scalars_.rule().params[param]);
  const clang::TemplateArgumentList *args = TemplateArgs(e->getType());
  return RankNumber{false, static_cast<int>((*args)[0].getAsIntegral().getExtValue())};
}

/// Whether the shapes that `e` takes are of the rank of its source, `rank`.
bool ViewRanks::HasShapesOf(const clang::CallExpr *e, RankNumber rank) const {
  return std::all_of(e->arg_begin(), e->arg_end(), [&](const clang::Expr *arg) {
    return RecordName(arg->getType()) != "mshadow::Shape" || OfShape(arg) == rank;
  });
}

/// Whether what has rank `rank` has the dimensions that `e` names, whatever the rule's rank.
bool ViewRanks::HasDimensions(const clang::CallExpr *e, RankNumber rank) {
  const auto *callee =
      llvm::dyn_cast<clang::DeclRefExpr>(StripWrappers(e->getCallee()->IgnoreImpCasts()));
  if (!callee) return false;
  std::optional<RankNumber> higher;  // swapaxis<higher, lower>
  for (const clang::TemplateArgumentLoc &argument : callee->template_arguments()) {
    const clang::Expr *source = SourceOf(argument);
    const auto dim = source ? RankNumberOf(source, ast_) : std::nullopt;
    if (!dim || (dim->of_rule && (!rank.of_rule || dim->number >= rank.number))) return false;
    if (dim->of_rule) {
      least_ = std::max(least_, -dim->number);
    } else {
      Require(rank, dim->number + 1);
    }
    if (higher && dim->of_rule && !higher->of_rule) return false;
    if (higher && higher->of_rule && !dim->of_rule) Require(*higher, dim->number + 1);
    higher = dim;
  }
  return true;
}

/// Says that what has rank `rank` must have dimension `axis`, where that is no number of the
/// launch.
void ViewRanks::RequireAxis(const clang::Expr *axis, RankNumber rank) {
  const std::optional<RankNumber> number = RankNumberOf(axis, ast_);
  if (number && number->of_rule) least_ = std::max(least_, -number->number);
  if (number && !number->of_rule) Require(rank, number->number + 1);
}

std::optional<RankNumber> ViewRanks::OfCall(const clang::CallExpr *e) {
  const clang::FunctionDecl *callee = e->getDirectCallee();
  if (!callee) return std::nullopt;
  const std::string name = QualifiedName(*callee);
  const std::vector<const clang::Expr *> operands = ExpressionsIn(e);
  std::optional<RankNumber> rank;
  const Known *known = FindKnown(name);
  if (!compat::StartsWith(name, "mshadow::")) {
    // One of the user's: what its rank is made of is for emitted code to see.
    rank = RankNumber{false, RankOf(e->getType())};
    for (const clang::Expr *operand : operands) {
      const auto source = Of(operand);
      if (!source) return std::nullopt;
      if (source->of_rule) rank = RankNumber{true, RankOf(e->getType()) - kInstanceRank};
    }
    return rank;
  }
  if (!known) {
    rank = OfElements(e, operands);
  } else if (known->kind == Known::kOfShape) {
    const auto source = Of(operands[0]);
    rank = source ? OfShape(e->getArg(1)) : std::nullopt;
  } else if (known->kind == Known::kOfFirstShape) {
    rank = OfShape(e->getArg(0));
  } else {
    for (const clang::Expr *operand : operands) {
      const auto source = Of(operand);
      if (!source || (known->kind == Known::kFixed && source->of_rule)) return std::nullopt;
      if (known->number < 0) Require(*source, 2);
      rank = RankNumber{source->of_rule, source->number + known->number};
    }
    const bool is_diag = name == "mshadow::expr::diag";  // of a vector, or of a matrix
    const int number = is_diag && rank ? 3 - (rank->number - known->number) : known->number;
    if (known->kind == Known::kFixed) rank = RankNumber{false, number};
  }
  if (rank && TakesImages(name)) Require(*rank, 2);
  if (rank && TakesChannels(name)) {
    Require(*rank, 3);
    if (!rank->of_rule && rank->number < 3) too_low_ = e;
  }
  if (rank && name == "mshadow::expr::flip") RequireAxis(e->getArg(1), *rank);
  const bool fits = rank && (!NamesDimensions(name) || HasDimensions(e, *rank)) &&
                    (!TakesShapesOfSource(name) || HasShapesOf(e, *rank));
  return fits ? rank : std::nullopt;
}

}  // namespace mgen
