// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_rule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "frontend/clang_compat.h"
#include "frontend/lower_scalar.h"
#include "frontend/lower_tensor.h"
#include "frontend/names.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "ir/printer.h"
#include "ir/walk.h"

namespace mgen {
namespace {

std::optional<Saver> SaverOf(clang::OverloadedOperatorKind kind) {
  switch (kind) {
    case clang::OO_Equal:
      return Saver::kSave;
    case clang::OO_PlusEqual:
      return Saver::kPlus;
    case clang::OO_MinusEqual:
      return Saver::kMinus;
    case clang::OO_StarEqual:
      return Saver::kMul;
    case clang::OO_SlashEqual:
      return Saver::kDiv;
    default:
      return std::nullopt;
  }
}

/// Whether a parameter was written with a rank that depends on a template parameter.
bool HasDependentRank(const clang::ParmVarDecl *written) {
  const auto *type = written->getType()
                         .getNonReferenceType()
                         .getCanonicalType()
                         ->getAs<clang::TemplateSpecializationType>();
  return type && type->template_arguments()[1].isDependent();
}

/// "2", "dim".
std::string RankText(const Param &param) {
  return param.rank == Param::kRankParam ? "dim" : std::to_string(param.rank);
}

class BodyLowering {
 public:
  BodyLowering(FrontEnd &front, const StatementTexts &texts, Rule *rule)
      : front_(front),
        texts_(&texts),
        rule_(*rule),
        scalars_(front, *rule),
        tensors_(scalars_, [this](const std::string &name, Param view) {
          return AddView(name, std::move(view));
        }) {}

  void Run(const clang::FunctionDecl *instance);

 private:
  void Lower(const clang::Stmt *statement);
  void LowerOne(const clang::Stmt *statement);
  void LowerDeclaration(const clang::DeclStmt *statement);
  void LowerVariable(const clang::VarDecl *variable);
  void LowerTemporary(const clang::VarDecl *variable);
  enum class Length { kOne, kRows, kColumns };
  std::optional<Length> LengthOf(const clang::Expr *shape);
  bool IsShapeOfRank(const clang::Expr *shape, int rank);
  void LowerIf(const clang::IfStmt *statement);
  void LowerExpression(const clang::Expr *e);
  void LowerRuleCall(const clang::CallExpr *e);
  void BindScalars(const clang::CallExpr *e, const clang::FunctionDecl *callee);
  void BindTensor(const clang::CallExpr *e, const clang::ParmVarDecl *parameter,
                  const clang::ParmVarDecl *written, const clang::Expr *arg);
  void LowerTensorAssign(const clang::CXXOperatorCallExpr *e, Saver saver);
  int TargetOf(const clang::Expr *e);
  void CheckRanks();
  void CheckSources();
  void CheckElements();
  void CheckTemporaries();
  void CheckViews();
  int AddView(const std::string &name, Param view);
  void RejectTemporaryShape(const Param &param, const std::string &shape);
  void NameScalars(const Variables &before);
  std::string FreshName(const std::string &base);
  std::vector<Statement> Branch(const clang::Stmt *statement);
  [[noreturn]] void RejectStatement(const clang::Stmt *statement);

  FrontEnd &front_;
  const StatementTexts *texts_;  ///< of the rule, or of the one that it calls
  Rule &rule_;
  RuleScalars scalars_;
  TensorLowering tensors_;
  std::vector<Statement> *out_ = nullptr;
  std::set<std::string> names_;
  std::map<int, Length> lengths_;  ///< of temporaries whose Shape1 says it
  int number_ = 0;
  std::vector<const clang::FunctionDecl *> calls_;  ///< the rules that are called, outermost first
  std::string caller_;                              ///< "SGD: " within a rule that is called
  bool rejected_ = false;
};

void BodyLowering::Run(const clang::FunctionDecl *instance) {
  for (size_t i = 0; i < rule_.params.size(); ++i) {
    const Param &param = rule_.params[i];
    const clang::ParmVarDecl *variable = instance->getParamDecl(i);
    names_.insert(param.name);
    if (param.is_tensor) {
      scalars_.AddTensor(variable, static_cast<int>(i));
    } else {
      scalars_.variables().Set(variable, MakeParam(static_cast<int>(i), param.type));
    }
  }
  rule_.stages.emplace_back();
  out_ = &rule_.stages.back().body;
  Lower(instance->getBody());
  // A reduction that was rejected leaves statements whose ranks would seem to be wrong.
  if (rejected_) return;
  CheckRanks();
  CheckSources();
  CheckElements();
  CheckTemporaries();
  CheckViews();
  tensors_.CheckExtents();
}

/// Adds a tensor behind the others, unless the same view is there already.
int BodyLowering::AddView(const std::string &name, Param view) {
  const std::string text = Print(*view.view, rule_);
  for (size_t i = 0; i < rule_.params.size(); ++i) {
    const Param &known = rule_.params[i];
    if (known.view && Print(*known.view, rule_) == text) return static_cast<int>(i);
  }
  view.name = FreshName(name);
  rule_.params.push_back(std::move(view));
  return static_cast<int>(rule_.params.size()) - 1;
}

/// Where rows or columns are reduced, a vector is a value of each of them, which is read in other
/// ways than elements are.
void BodyLowering::CheckViews() {
  const Frame frame = FrameOf(rule_);
  if (frame != Frame::kRow && frame != Frame::kColumn) return;
  for (const Param &param : rule_.params) {
    if (!param.view || param.rank != 1) continue;
    front_.diagnostics.Report(DiagId::kViewVector, param.location)
        .Note(DiagId::kViewVectorNote, param.location);
  }
}

void BodyLowering::RejectStatement(const clang::Stmt *statement) {
  const SourceLocation location = front_.Where(statement->getSourceRange());
  const bool loop = llvm::isa<clang::ForStmt>(statement) ||
                    llvm::isa<clang::WhileStmt>(statement) || llvm::isa<clang::DoStmt>(statement) ||
                    llvm::isa<clang::CXXForRangeStmt>(statement);
  if (loop) {
    front_.diagnostics.Report(DiagId::kLoop, location, "a rule").Note(DiagId::kLoopNote, location);
  } else {
    front_.diagnostics
        .Report(DiagId::kUnsupportedStatement, location, DescribeStatement(statement), "a rule")
        .Note(DiagId::kStatementNote, location);
  }
  throw Rejected();
}

/// Lowers a statement; what is wrong in it was reported, and the next one is looked at all the
/// same.
void BodyLowering::Lower(const clang::Stmt *statement) {
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    for (const clang::Stmt *child : block->body()) Lower(child);
    return;
  }
  try {
    LowerOne(statement);
  } catch (const Rejected &) {
    rejected_ = true;
    if (!calls_.empty()) throw;  // a rule that is called is wrong once
  }
}

void BodyLowering::LowerOne(const clang::Stmt *statement) {
  if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    LowerDeclaration(declaration);
  } else if (const auto *branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    LowerIf(branch);
  } else if (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(statement)) {
    LowerOne(attributed->getSubStmt());
  } else if (llvm::isa<clang::CXXThrowExpr>(statement)) {
    RejectStatement(statement);
  } else if (const auto *expression = llvm::dyn_cast<clang::Expr>(statement)) {
    LowerExpression(StripWrappers(expression));
  } else if (!llvm::isa<clang::NullStmt>(statement)) {
    RejectStatement(statement);
  }
}

void BodyLowering::LowerDeclaration(const clang::DeclStmt *statement) {
  for (const clang::Decl *declaration : statement->decls()) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) LowerVariable(variable);
  }
}

void BodyLowering::LowerVariable(const clang::VarDecl *variable) {
  CheckName(front_, variable->getNameAsString(), variable->getLocation());
  if (RecordName(variable->getType()) == "mshadow::Temporary") return LowerTemporary(variable);
  if (IsExpression(variable->getType())) {
    tensors_.Declare(variable);
    return;
  }
  if (variable->getInit()) {
    if (const int param = scalars_.ShapeOf(variable->getInit()); param >= 0) {
      scalars_.AddShape(variable, param);
      return;
    }
  }
  const Variables before = scalars_.variables();
  scalars_.Declare(variable);
  NameScalars(before);
}

/// `Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);` is a tensor behind the
/// parameters.
void BodyLowering::LowerTemporary(const clang::VarDecl *variable) {
  const clang::TemplateArgumentList *args = TemplateArgs(variable->getType());
  Param param;
  param.name = FreshName(variable->getNameAsString());
  param.is_tensor = param.is_temporary = true;
  param.rank = static_cast<int>((*args)[1].getAsIntegral().getExtValue());
  param.location = front_.Where(variable->getLocation());
  const auto kind = ScalarKindOf(front_.ast, (*args)[2].getAsType());
  if (!kind || !IsElementKind(*kind)) {
    front_.diagnostics
        .Report(DiagId::kUnsupportedType, param.location,
                TypeText(front_.ast, (*args)[2].getAsType()), "a temporary")
        .Note(DiagId::kUnsupportedTypeNote, param.location);
    throw Rejected();
  }
  param.type.kind = *kind;
  const auto *construct =
      llvm::dyn_cast_or_null<clang::CXXConstructExpr>(StripWrappers(variable->getInit()));
  std::optional<Length> length;
  if (construct && param.rank == 1) length = LengthOf(construct->getArg(0));
  if (!construct || !(length || IsShapeOfRank(construct->getArg(0), param.rank))) {
    RejectTemporaryShape(param, param.rank == 1 ? "Shape1(in.size(0))" : "in.shape_");
    throw Rejected();
  }
  if (length) lengths_[static_cast<int>(rule_.params.size())] = *length;
  if (TensorLowering::HasRankParam(rule_) && param.rank == 2) param.rank = Param::kRankParam;
  scalars_.AddTensor(variable, static_cast<int>(rule_.params.size()));
  rule_.params.push_back(std::move(param));
}

void BodyLowering::RejectTemporaryShape(const Param &param, const std::string &shape) {
  front_.diagnostics.Report(DiagId::kTemporaryShape, param.location, param.name)
      .Note(DiagId::kTemporaryShapeNote, param.location,
            param.name + "(" + shape + ", in.stream_)");
}

/// A vector that is reduced to is as long as there are rows, or columns; what everything is reduced
/// to has one element, and nothing else has.
void BodyLowering::CheckTemporaries() {
  static constexpr const char *kShapes[] = {"Shape1(1)", "Shape1(in.size(0))",
                                            "Shape1(in.size(1))"};
  const Frame frame = FrameOf(rule_);
  std::set<int> singles;
  if (frame == Frame::kAll) singles = ValuesOf(rule_);
  for (size_t i = 0; i < rule_.params.size(); ++i) {
    const int param = static_cast<int>(i);
    if (!rule_.params[i].is_temporary) continue;
    const auto known = lengths_.find(param);
    const bool is_single = singles.count(param) != 0;
    const Length expected = is_single                 ? Length::kOne
                            : frame == Frame::kColumn ? Length::kColumns
                                                      : Length::kRows;
    const bool is_right = known == lengths_.end() ? !is_single : known->second == expected;
    if (!is_right) RejectTemporaryShape(rule_.params[i], kShapes[static_cast<int>(expected)]);
  }
}

/// The shape of a tensor of that rank.
bool BodyLowering::IsShapeOfRank(const clang::Expr *shape, int rank) {
  const int tensor = scalars_.ShapeOf(shape);
  if (tensor < 0) return false;
  const int known = rule_.params[tensor].rank;
  return known == rank || known == Param::kRankParam;
}

/// Shape1 of 1, of a matrix' rows, or of a tensor's columns.
std::optional<BodyLowering::Length> BodyLowering::LengthOf(const clang::Expr *shape) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(StripWrappers(shape)->IgnoreImplicit());
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || QualifiedName(*callee) != "mshadow::Shape1") return std::nullopt;
  const auto *literal =
      llvm::dyn_cast<clang::IntegerLiteral>(call->getArg(0)->IgnoreParenImpCasts());
  if (literal && literal->getValue() == 1) return Length::kOne;
  Expr extent = scalars_.Lower(call->getArg(0));
  while (extent->op == Op::kCast || extent->op == Op::kLocal) {
    extent = extent->op == Op::kCast ? extent->args[0] : rule_.prologue[extent->index].value;
  }
  if (extent->op != Op::kDim) return std::nullopt;
  const int known = rule_.params[extent->index].rank;
  if (known == 2 && extent->dim == 0) return Length::kRows;
  if (known >= 2 && extent->dim == known - 1) return Length::kColumns;
  return std::nullopt;
}

/// A name that no parameter and no other local has: `lr`, `lr1`, `lr2`.
std::string BodyLowering::FreshName(const std::string &base) {
  std::string name = base;
  for (int i = 1; !names_.insert(name).second; ++i) name = base + std::to_string(i);
  return name;
}

/// Every variable that got a new value since `before` becomes an entry of the prologue.
void BodyLowering::NameScalars(const Variables &before) {
  for (size_t i = 0; i < scalars_.variables().slots().size(); ++i) {
    Variables::Slot &slot = scalars_.variables().slots()[i];
    const bool old = i < before.slots().size();
    if (!slot.value || (old && before.slots()[i].value == slot.value)) continue;
    if (slot.value->op == Op::kLocal || slot.value->op == Op::kParam) continue;
    Local local;
    local.name = FreshName(slot.variable->getNameAsString());
    local.type = slot.value->type;
    local.location = front_.Where(slot.variable->getLocation());
    local.value = slot.value;
    rule_.prologue.push_back(local);
    slot.value = MakeLocal(static_cast<int>(rule_.prologue.size()) - 1, local.type);
  }
}

std::vector<Statement> BodyLowering::Branch(const clang::Stmt *statement) {
  std::vector<Statement> body;
  Restore<std::vector<Statement> *> restore(out_);
  out_ = &body;
  if (statement) Lower(statement);
  return body;
}

void BodyLowering::LowerIf(const clang::IfStmt *statement) {
  if (statement->getInit()) LowerOne(statement->getInit());
  if (statement->getConditionVariable()) LowerVariable(statement->getConditionVariable());
  const Expr condition = Convert(ScalarKind::kBool, scalars_.Lower(statement->getCond()));
  if (IsTrue(condition) || IsFalse(condition)) {
    const clang::Stmt *taken = IsTrue(condition) ? statement->getThen() : statement->getElse();
    if (taken) Lower(taken);
    return;
  }
  Restore<Expr> restore(scalars_.guard());
  const Variables before = scalars_.variables();
  Statement result;
  result.kind = Statement::kIf;
  result.condition = condition;
  result.location = front_.Where(statement->getSourceRange().getBegin());
  scalars_.guard() = And(restore.old(), condition);
  result.then_body = Branch(statement->getThen());
  const Variables after_then = scalars_.variables();
  scalars_.variables() = before;
  scalars_.guard() = And(restore.old(), Not(condition));
  result.else_body = Branch(statement->getElse());
  const Variables after_else = scalars_.variables();
  ScalarLowering::Merge(condition, after_then, after_else, &scalars_.variables());
  NameScalars(before);
  if (!result.then_body.empty() || !result.else_body.empty()) out_->push_back(std::move(result));
}

void BodyLowering::LowerExpression(const clang::Expr *e) {
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
  if (call && IsExpression(call->getArg(0)->getType())) {
    if (const auto saver = SaverOf(call->getOperator())) return LowerTensorAssign(call, *saver);
    RejectStatement(e);
  }
  const auto *cast = llvm::dyn_cast<clang::CastExpr>(e);
  if (cast && cast->getCastKind() == clang::CK_ToVoid) return;  // (void)unused;
  if (const auto *plain = llvm::dyn_cast<clang::CallExpr>(e); plain && !call) {
    if (IsRule(plain->getDirectCallee())) return LowerRuleCall(plain);
    if (plain->getType()->isVoidType() || IsExpression(plain->getType())) RejectStatement(e);
  }
  const Variables before = scalars_.variables();
  scalars_.Lower(e);
  NameScalars(before);
}

/// A rule that calls a rule has its statements: those of the other, with the arguments for its
/// parameters.
void BodyLowering::LowerRuleCall(const clang::CallExpr *e) {
  const SourceLocation location = front_.Where(e->getSourceRange());
  const clang::FunctionDecl *definition = nullptr;
  const clang::FunctionDecl *callee = e->getDirectCallee();
  const clang::Stmt *body = callee->getBody(definition);
  const clang::FunctionDecl *pattern = callee->getTemplateInstantiationPattern();
  const bool calls_itself = std::find(calls_.begin(), calls_.end(), pattern) != calls_.end();
  front_.Step(e->getSourceRange());
  if (!body || !pattern || calls_itself) {
    front_.diagnostics
        .Report(body ? DiagId::kRecursion : DiagId::kUnsupportedCall, location,
                callee->getNameAsString(), "a rule")
        .Note(body ? DiagId::kRuleRecursionNote : DiagId::kUnsupportedCallNote, location);
    throw Rejected();
  }
  const StatementTexts texts(pattern->getDefinition());
  Restore<const StatementTexts *> caller(texts_);
  Restore<std::vector<const clang::FunctionDecl *>> nesting(calls_);
  calls_.push_back(pattern);
  Restore<std::string> names(caller_);
  BindScalars(e, definition);
  for (unsigned i = 0; i < e->getNumArgs(); ++i) {
    BindTensor(e, definition->getParamDecl(i), pattern->getParamDecl(i), e->getArg(i));
  }
  texts_ = &texts;
  caller_ = callee->getNameAsString() + ": ";
  Lower(body);
}

/// Gives the scalar parameters of a rule that is called their values. Literals get no name: they
/// choose branches now.
void BodyLowering::BindScalars(const clang::CallExpr *e, const clang::FunctionDecl *callee) {
  const Variables before = scalars_.variables();
  std::vector<std::pair<const clang::ParmVarDecl *, Expr>> literals;
  for (unsigned i = 0; i < e->getNumArgs(); ++i) {
    const clang::Expr *arg = e->getArg(i);
    const clang::ParmVarDecl *parameter = callee->getParamDecl(i);
    const clang::QualType type = parameter->getType();
    if (IsTensor(type.getNonReferenceType())) continue;
    const bool writes = type->isLValueReferenceType() && !type->getPointeeType().isConstQualified();
    if (writes) RejectStatement(e);
    if (const auto *value = llvm::dyn_cast<clang::CXXDefaultArgExpr>(arg)) arg = value->getExpr();
    const Expr value = scalars_.Lower(arg);
    if (value->op == Op::kLiteral) {
      literals.push_back({parameter, value});
    } else {
      scalars_.variables().Set(parameter, value);
    }
  }
  NameScalars(before);
  for (const auto &[parameter, value] : literals) scalars_.variables().Set(parameter, value);
}

/// Gives a tensor parameter of a rule that is called a tensor of the caller's.
/// \param written the parameter as the template has it
void BodyLowering::BindTensor(const clang::CallExpr *e, const clang::ParmVarDecl *parameter,
                              const clang::ParmVarDecl *written, const clang::Expr *arg) {
  if (!IsTensor(parameter->getType().getNonReferenceType())) return;
  const int tensor = scalars_.TensorOf(arg);
  const SourceLocation location = front_.Where(arg->getSourceRange());
  if (tensor < 0) {
    front_.diagnostics
        .Report(DiagId::kUnsupportedExpression, location, "a part or an expression as a tensor",
                "a call of a rule")
        .Note(DiagId::kRuleArgumentNote, location);
    throw Rejected();
  }
  // The instance of a rule for any rank is of rank 2, which a rule for matrices takes; others not.
  const bool any_rank = rule_.params[tensor].rank == Param::kRankParam;
  if (any_rank && !HasDependentRank(written)) scalars_.RejectRank(e, "this call");
  scalars_.AddTensor(parameter, tensor);
}

int BodyLowering::TargetOf(const clang::Expr *e) {
  if (const int param = scalars_.TensorOf(e); param >= 0) return param;
  const SourceLocation location = front_.Where(e->getSourceRange());
  front_.diagnostics
      .Report(DiagId::kUnsupportedExpression, location, "writing to a part of a tensor", "a rule")
      .Note(DiagId::kViewNote, location);
  throw Rejected();
}

/// One loop runs over all that a rule writes, so all of it has one rank; where rows are reduced,
/// vectors have an element for each of them.
void BodyLowering::CheckRanks() {
  const std::set<int> values = ValuesOf(rule_);
  const bool reduces = FrameOf(rule_) != Frame::kElement;
  const Statement *first = nullptr;
  ForEachStatement(rule_, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    const Param &param = rule_.params[statement.target];
    if (values.count(statement.target) != 0) return;
    if (reduces && param.is_temporary) {
      front_.diagnostics.Report(DiagId::kTemporaryMatrix, statement.location, param.name)
          .Note(DiagId::kTemporaryMatrixNote, param.location, param.name);
      return;
    }
    if (first == nullptr) first = &statement;
    const Param &other = rule_.params[first->target];
    if (param.rank == other.rank) return;
    front_.diagnostics
        .Report(DiagId::kMixedRanks, statement.location, param.name, RankText(param), other.name,
                RankText(other), "writes")
        .Note(DiagId::kMixedRanksNote, statement.location);
  });
}

/// A rule that reduces everything goes over all its tensors at once. Statements that write nothing
/// but values do not compare their ranks.
void BodyLowering::CheckSources() {
  if (FrameOf(rule_) != Frame::kAll) return;
  const std::set<int> values = ValuesOf(rule_);
  const Param *first = nullptr;
  ForEachStatement(rule_, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    for (const auto &[param, map] : ReadsOf(statement.value).operands) {
      if (map != IndexMap::kIdentity || values.count(param) != 0) continue;
      const Param &source = rule_.params[param];
      if (first == nullptr) first = &source;
      if (source.rank == first->rank) continue;
      front_.diagnostics
          .Report(DiagId::kMixedRanks, statement.location, source.name, RankText(source),
                  first->name, RankText(*first), "goes over")
          .Note(DiagId::kMixedRanksNote, statement.location);
      return;
    }
  });
}

/// A rule that reduces has a tensor with more than its values among its operands: it is what a
/// kernel goes over. (Values could be broadcast to the shape of a tensor that is no operand.)
void BodyLowering::CheckElements() {
  if (FrameOf(rule_) == Frame::kElement) return;
  const std::set<int> values = ValuesOf(rule_);
  const Statement *first = nullptr;
  bool has_elements = false;
  ForEachStatement(rule_, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    if (first == nullptr) first = &statement;
    has_elements = has_elements || values.count(statement.target) == 0;
    for (const auto &[param, map] : ReadsOf(statement.value).operands) {
      const bool is_element = map == IndexMap::kIdentity || map == IndexMap::kGather;
      has_elements = has_elements || (is_element && values.count(param) == 0);
    }
  });
  if (has_elements) return;
  front_.diagnostics.Report(DiagId::kReduction, first->location, "this reduction")
      .Note(DiagId::kReductionNote, first->location);
}

void BodyLowering::LowerTensorAssign(const clang::CXXOperatorCallExpr *e, Saver saver) {
  const SourceLocation location = front_.Where(e->getSourceRange());
  const int target = TargetOf(e->getArg(0));
  const Param &param = rule_.params[target];
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(e->getDirectCallee());
  if (method && method->isCopyAssignmentOperator()) {
    const int source = scalars_.TensorOf(e->getArg(1));
    const std::string other = source >= 0 ? rule_.params[source].name : "expression";
    front_.diagnostics.Report(DiagId::kHandleAssign, location, param.name, other)
        .Note(DiagId::kHandleAssignNote, location, param.name, other);
    throw Rejected();
  }
  Statement statement;
  statement.number = ++number_;
  statement.target = target;
  statement.saver = saver;
  statement.location = location;
  statement.text = caller_ + texts_->Find(e->getSourceRange());
  const clang::Expr *value = e->getArg(1);
  statement.value = IsExpression(value->getType())
                        ? tensors_.Lower(value)
                        : Convert(param.type.kind, scalars_.Lower(value));
  tensors_.Written(target, location);
  out_->push_back(std::move(statement));
}

}  // namespace

bool IsRule(const clang::FunctionDecl *function) {
  if (!function) return false;
  for (const auto *attribute : function->specific_attrs<clang::AnnotateAttr>()) {
    if (attribute->getAnnotation() == "mshadow::kernel") return true;
  }
  return false;
}

void LowerBody(FrontEnd &front, const clang::FunctionDecl *instance, const StatementTexts &texts,
               Rule *rule) {
  BodyLowering(front, texts, rule).Run(instance);
}

}  // namespace mgen
