// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_rule.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "frontend/clang_compat.h"
#include "frontend/lower_concat.h"
#include "frontend/lower_diagonal.h"
#include "frontend/lower_function.h"
#include "frontend/lower_loop.h"
#include "frontend/lower_product.h"
#include "frontend/lower_reshaped.h"
#include "frontend/lower_scan.h"
#include "frontend/lower_scatter.h"
#include "frontend/lower_shape.h"
#include "frontend/lower_sort.h"
#include "frontend/lower_tensor.h"
#include "frontend/lower_view.h"
#include "frontend/marks.h"
#include "frontend/materialise.h"
#include "frontend/names.h"
#include "frontend/rejected_names.h"
#include "frontend/savers.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "ir/made_name.h"
#include "ir/printer.h"
#include "ir/walk.h"

namespace mgen {
namespace {

class BodyLowering {
 public:
  BodyLowering(FrontEnd &front, const StatementTexts &texts, Rule *rule)
      : front_(front),
        texts_(&texts),
        rule_(*rule),
        scalars_(front, *rule),
        tensors_(
            scalars_,
            [this](const std::string &name, Param view) { return AddView(name, std::move(view)); },
            &rule->reducers),
        materialiser_(
            tensors_,
            [this](const std::string &name, Param p) { return AddTensor(name, std::move(p)); },
            [this](Statement statement) { AddMade(std::move(statement), out_); }) {
    tensors_.set_materialiser(&materialiser_);
  }

  void Run(const clang::FunctionDecl *instance);

 private:
  bool Lower(const clang::Stmt *statement);
  void LowerOne(const clang::Stmt *statement);
  void LowerDeclaration(const clang::DeclStmt *statement);
  void LowerVariable(const clang::VarDecl *variable);
  void LowerTemporary(const clang::VarDecl *variable);
  void LowerIf(const clang::IfStmt *statement);
  void LowerLoop(const SpecLoop &loop);
  void LowerExpression(const clang::Expr *e);
  void LowerRuleCall(const clang::CallExpr *e);
  void LowerRuntimeCall(const clang::CallExpr *e);
  void BindScalars(const clang::CallExpr *e, const clang::FunctionDecl *callee);
  void BindTensor(const clang::CallExpr *e, const clang::ParmVarDecl *parameter,
                  const clang::ParmVarDecl *written, const clang::Expr *arg);
  void LowerTensorAssign(const clang::CXXOperatorCallExpr *e, Saver saver);
  void LowerSave(const clang::CallExpr *e, clang::QualType saver);
  void LowerOwnSave(const clang::CallExpr *e, Statement *statement);
  Expr OwnSave(const clang::CallExpr *e, int target, const Expr &value);
  Statement NewStatement(const clang::Expr *e, int target);
  void AddAssign(const clang::Expr *value, Statement statement);
  void LowerConcat(const clang::Expr *e, const Joined &joined, const clang::Expr *value,
                   std::optional<Saver> saver);
  std::vector<int> TargetsOf(const Joined &joined);
  void LowerResult(const clang::Expr *value);
  int DestinationOf(const clang::Expr *e);
  void AddWrite(Statement statement);
  void LowerStageEnd();
  int AddView(const std::string &name, Param view);
  int AddTensor(const std::string &name, Param tensor);
  void NameScalars(const Variables &before);
  std::string FreshName(const std::string &base);
  std::vector<Statement> Branch(const clang::Stmt *statement);
  [[noreturn]] void RejectStatement(const clang::Stmt *statement) {
    RejectRuleStatement(front_, rule_, statement);
  }
  [[noreturn]] void RejectExpression(const SourceLocation &location, const std::string &what,
                                     DiagId note);

  FrontEnd &front_;
  const StatementTexts *texts_;  ///< of the rule, or of the one that it calls
  Rule &rule_;
  RuleScalars scalars_;
  TensorLowering tensors_;
  Materialiser materialiser_;
  std::vector<Statement> *out_ = nullptr;
  std::set<std::string> names_;
  int number_ = 0;
  std::vector<const clang::FunctionDecl *> calls_;  ///< the rules that are called, outermost first
  std::string caller_;                              ///< "SGD: " within a rule that is called
  const clang::Stmt *result_ = nullptr;             ///< of an expression: its last statement
  RejectedNames rejected_names_;
  bool is_unrolling_ = false;
};

void BodyLowering::Run(const clang::FunctionDecl *instance) {
  const size_t results = rule_.is_expression ? 1 : 0;  // which the function has no parameter for
  if (rule_.is_expression) names_.insert(rule_.params[0].name);
  for (size_t i = results; i < rule_.params.size(); ++i) {
    const Param &param = rule_.params[i];
    const clang::ParmVarDecl *variable = instance->getParamDecl(i - results);
    names_.insert(param.name);
    if (param.is_tensor) {
      scalars_.AddTensor(variable, static_cast<int>(i));
    } else {
      scalars_.variables().Set(variable, MakeParam(static_cast<int>(i), param.type));
    }
  }
  rule_.stages.emplace_back();
  out_ = &rule_.stages.back().body;
  const auto *body = llvm::dyn_cast<clang::CompoundStmt>(instance->getBody());
  if (rule_.is_expression && body && !body->body_empty()) result_ = body->body_back();
  Lower(instance->getBody());
  ReadReshaped(&rule_);
  int number = number_;
  NumberMade(out_, &number);
}

/// Adds a tensor behind the others, unless it is there. A slice may be a view and a part: two.
int BodyLowering::AddView(const std::string &name, Param view) {
  const std::string text = Print(*view.view, rule_);
  for (size_t i = 0; i < rule_.params.size(); ++i) {
    const Param &known = rule_.params[i];
    const bool is_same = known.view && known.is_part() == view.is_part();
    if (is_same && Print(*known.view, rule_) == text) return static_cast<int>(i);
  }
  return AddTensor(name, std::move(view));
}

int BodyLowering::AddTensor(const std::string &name, Param tensor) {
  tensor.name = FreshName(MadeName(name));
  rule_.params.push_back(std::move(tensor));
  return static_cast<int>(rule_.params.size()) - 1;
}

void BodyLowering::RejectExpression(const SourceLocation &location, const std::string &what,
                                    DiagId note) {
  front_.diagnostics.Report(DiagId::kUnsupportedExpression, location, what, "a rule")
      .Note(note, location);
  throw Rejected();
}

/// Lowers a statement; what is wrong in it was reported, and the next one is looked at all the
/// same.
/// \returns whether nothing is wrong
bool BodyLowering::Lower(const clang::Stmt *statement) {
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    bool is_right = true;
    for (const clang::Stmt *child : block->body()) is_right = Lower(child) && is_right;
    return is_right;
  }
  if (rejected_names_.AreUsedIn(statement)) {
    rejected_names_.Add(statement);
    return false;
  }
  try {
    LowerOne(statement);
    return true;
  } catch (const Rejected &) {
    rejected_names_.Add(statement);
    if (!calls_.empty()) throw;  // a rule that is called is wrong once
    return false;
  }
}

void BodyLowering::LowerOne(const clang::Stmt *statement) {
  if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    LowerDeclaration(declaration);
  } else if (const auto *branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    LowerIf(branch);
  } else if (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(statement)) {
    LowerOne(attributed->getSubStmt());
  } else if (const auto loop = LoopOf(statement)) {
    LowerLoop(*loop);
  } else if (llvm::isa<clang::CXXThrowExpr>(statement)) {
    RejectStatement(statement);
  } else if (const auto *result = llvm::dyn_cast<clang::ReturnStmt>(statement);
             result && statement == result_) {
    LowerResult(result->getRetValue());
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
    if (auto extents = ExtentsOf(scalars_, variable->getInit())) {
      scalars_.AddExtents(variable, std::move(*extents));
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
  Param param = MakeTemporary(scalars_, variable, FreshName(variable->getNameAsString()));
  if (TensorLowering::HasRankParam(rule_) && param.rank == 2) param.rank = Param::kRankParam;
  scalars_.AddTensor(variable, static_cast<int>(rule_.params.size()));
  rule_.params.push_back(std::move(param));
}

/// A name that no parameter and no other local has: `lr`, `lr1`, `lr2`.
std::string BodyLowering::FreshName(const std::string &base) {
  std::string name = base;
  for (int i = 1; !names_.insert(name).second; ++i) name = base + std::to_string(i);
  return name;
}

/// Every variable that got a new value since `before` becomes an entry of the prologue. In a loop
/// that is unrolled, literals do not, such as its counter.
void BodyLowering::NameScalars(const Variables &before) {
  for (size_t i = 0; i < scalars_.variables().slots().size(); ++i) {
    Variables::Slot &slot = scalars_.variables().slots()[i];
    const bool old = i < before.slots().size();
    if (!slot.value || (old && before.slots()[i].value == slot.value)) continue;
    if (slot.value->op == Op::kLocal || slot.value->op == Op::kParam) continue;
    if (slot.value->op == Op::kLiteral && is_unrolling_) continue;
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
  const std::vector<Materialiser::Known> before = materialiser_.known();
  if (statement) Lower(statement);
  materialiser_.EndBranch(before);
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
  scalars_.variables() = Merge(condition, after_then, after_else);
  NameScalars(before);
  if (!result.then_body.empty() || !result.else_body.empty()) out_->push_back(std::move(result));
}

/// Unrolls a loop: its statements are those of each iteration, one after the other.
void BodyLowering::LowerLoop(const SpecLoop &loop) {
  Restore<bool> restore(is_unrolling_);
  is_unrolling_ = true;
  Restore<std::set<const clang::VarDecl *>> counters(scalars_.counters());
  scalars_.counters() = CountersWith(scalars_, loop);
  if (loop.init) LowerOne(loop.init);
  bool goes_on = !loop.tests_first || HasNext(scalars_, loop, rule_.prologue);
  while (goes_on) {
    if (!Lower(loop.body)) throw Rejected();  // what is wrong is reported once
    if (loop.increment) LowerExpression(StripWrappers(loop.increment));
    goes_on = HasNext(scalars_, loop, rule_.prologue);
  }
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
    const clang::FunctionDecl *callee = plain->getDirectCallee();
    if (IsStageEnd(callee)) return LowerStageEnd();
    if (IsStepCheck(callee)) return LowerStepCheck(scalars_, plain, &rule_);
    if (IsMarkedRule(callee)) return LowerRuleCall(plain);
    if (IsScatter(callee) || IsSort(callee)) return LowerRuntimeCall(plain);
    const clang::QualType saver = SaverCalledBy(callee);
    if (!saver.isNull()) return LowerSave(plain, saver);
    RejectUnmarkedCall(front_, plain);
    if (plain->getType()->isVoidType() || IsExpression(plain->getType())) RejectStatement(e);
  }
  const Variables before = scalars_.variables();
  scalars_.Lower(e);
  NameScalars(before);
}

/// MSHADOW_STAGE(): what follows is another kernel.
void BodyLowering::LowerStageEnd() { out_->emplace_back().kind = Statement::kBoundary; }

/// `AddTakeGrad(dst, indices, rows);` is a statement that writes dst.
void BodyLowering::LowerRuntimeCall(const clang::CallExpr *e) {
  Statement statement = NewStatement(e, -1);
  (IsSort(e->getDirectCallee()) ? LowerSort : LowerScatter)(scalars_, tensors_, e, &statement);
  for (const int target : statement.targets()) tensors_.Written(target, statement.location);
  out_->push_back(std::move(statement));
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
        .Note(body ? DiagId::kRuleRecursionNote : DiagId::kNoBodyNote, location,
              callee->getNameAsString());
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
  const int tensor = MemoryOf(tensors_, arg);
  const SourceLocation location = front_.Where(arg->getSourceRange());
  if (tensor < 0) {
    front_.diagnostics
        .Report(DiagId::kUnsupportedExpression, location, "this expression as a tensor argument",
                "a call of a rule")
        .Note(DiagId::kRuleArgumentNote, location);
    throw Rejected();
  }
  // The instance of a rule for any rank is of rank 2, which a rule for matrices takes; others not.
  const bool any_rank = rule_.params[tensor].rank == Param::kRankParam;
  if (any_rank && !HasDependentRank(written)) scalars_.RejectRank(e, "this call");
  scalars_.AddTensor(parameter, tensor);
}

/// The tensor that is assigned alone, which may also be a diagonal.
int BodyLowering::DestinationOf(const clang::Expr *e) {
  const int diagonal = DiagonalOf(tensors_, e);
  return diagonal >= 0 ? diagonal : TargetOf(tensors_, e);
}

void BodyLowering::LowerTensorAssign(const clang::CXXOperatorCallExpr *e, Saver saver) {
  const SourceLocation location = front_.Where(e->getSourceRange());
  RejectReducedSlice(front_, e->getArg(0), e->getArg(1));
  const auto joined = JoinedIn(e->getArg(0), front_.ast);
  if (joined) return LowerConcat(e, *joined, e->getArg(1), saver);
  const int target = DestinationOf(e->getArg(0));
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(e->getDirectCallee());
  if (!IsSlice(e->getArg(0)) && method && method->isCopyAssignmentOperator()) {
    const int source = scalars_.TensorOf(e->getArg(1));
    const std::string other = source >= 0 ? rule_.params[source].name : "expression";
    const std::string name = NameOfDestination(rule_, target);
    front_.diagnostics.Report(DiagId::kHandleAssign, location, name, other)
        .Note(DiagId::kHandleAssignNote, location, name, other);
    throw Rejected();
  }
  Statement statement = NewStatement(e, target);
  statement.saver = saver;
  AddAssign(e->getArg(1), std::move(statement));
}

/// The tensors that are joined, by the scalars of where the concatenation was named.
std::vector<int> BodyLowering::TargetsOf(const Joined &joined) {
  Restore<Variables> now(scalars_.variables());
  const Variables *then = joined.name ? scalars_.ScalarsOf(joined.name) : nullptr;
  if (then != nullptr) scalars_.variables() = *then;
  std::vector<int> targets;
  for (const clang::Expr *tensor : joined.tensors) targets.push_back(TargetOf(tensors_, tensor));
  return targets;
}

/// A kernel for each of the tensors, since their shapes differ.
/// \param saver nothing: one of the spec's own, which `e` calls
void BodyLowering::LowerConcat(const clang::Expr *e, const Joined &joined, const clang::Expr *value,
                               std::optional<Saver> saver) {
  const SourceLocation location = front_.Where(value->getSourceRange());
  if (IsProduct(StripWrappers(value)->IgnoreImplicit()->getType())) {
    RejectExpression(location, "a matrix product in an assignment to concat",
                     DiagId::kConcatProductNote);
  }
  const std::vector<int> targets = TargetsOf(joined);
  CheckJoined(scalars_, joined, targets, e);
  LowerStageEnd();
  const Type type = rule_.params[targets[0]].type;
  Statement whole;
  const bool is_number = !IsExpression(value->getType());
  if (is_number) {
    whole.value = Convert(type.kind, scalars_.Lower(value));
  } else {
    tensors_.LowerValue(value, &whole);
  }
  Expr begin = MakeLiteral(kIndexType, 0);
  for (size_t i = 0; i < targets.size(); ++i) {
    const bool is_last = i + 1 == targets.size();
    const Expr extent = scalars_.ExtentOf(targets[i], joined.dim);
    const Expr end = i == 0 ? extent : MakeOp(Op::kAdd, {begin, extent});
    const Stretch stretch = {joined.dim, begin, is_last ? nullptr : end, targets[i]};
    Statement statement = NewStatement(e, targets[i]);
    AssignStretch(scalars_, tensors_.add_view(), stretch, whole, location, &statement);
    if (is_number && i > 0) statement.fitting = OtherExtentsOf(rule_, targets[0], joined.dim);
    if (saver) {
      statement.saver = *saver;
    } else {
      const std::vector<Expr> given = ReadNodesOf(statement.value);
      statement.value = OwnSave(llvm::cast<clang::CallExpr>(e), targets[i], statement.value);
      AddFitting(rule_, given, &statement);
    }
    for (size_t other = 0; other < i; ++other) {
      if (!rule_.params[targets[other]].is_temporary) statement.apart.push_back(targets[other]);
    }
    tensors_.Written(targets[i], statement.location);
    out_->push_back(std::move(statement));
    LowerStageEnd();
    begin = end;
  }
}

Statement BodyLowering::NewStatement(const clang::Expr *e, int target) {
  Statement statement;
  statement.number = ++number_;
  statement.target = target;
  statement.location = front_.Where(e->getSourceRange());
  statement.text = caller_ + texts_->Find(e->getSourceRange());
  return statement;
}

/// Gives the statement its value, a product or an expression or a number.
void BodyLowering::AddAssign(const clang::Expr *value, Statement statement) {
  if (IsProduct(StripWrappers(value)->IgnoreImplicit()->getType())) {
    if (IsDiagonal(rule_, statement.target)) {
      RejectExpression(statement.location, "a matrix product that is assigned to a diagonal",
                       DiagId::kDiagonalProductNote);
    }
    LowerProduct(scalars_, tensors_, value, &statement);
  } else if (IsExpression(value->getType())) {
    tensors_.LowerValue(value, &statement);
  } else {
    statement.value = Convert(rule_.params[statement.target].type.kind, scalars_.Lower(value));
  }
  AddWrite(std::move(statement));
}

/// A diagonal, which is a column, has a kernel of its own: the statements around it are of vectors.
void BodyLowering::AddWrite(Statement statement) {
  const bool is_diagonal = IsDiagonal(rule_, statement.target);
  if (is_diagonal) LowerStageEnd();
  tensors_.Written(statement.target, statement.location);
  out_->push_back(std::move(statement));
  if (is_diagonal) LowerStageEnd();
}

/// `MapExp<saver>(&tensor, expression)`: `tensor += expression` in mshadow's long form, or with a
/// saver of the spec's own.
void BodyLowering::LowerSave(const clang::CallExpr *e, clang::QualType saver) {
  const clang::Expr *tensor = PointedTo(e->getArg(0));
  if (tensor == nullptr) RejectStatement(e);
  RejectReducedSlice(front_, tensor, e->getArg(1));
  const auto joined = JoinedIn(tensor, front_.ast);
  if (joined) return LowerConcat(e, *joined, e->getArg(1), KnownSaver(saver));
  Statement statement = NewStatement(e, DestinationOf(tensor));
  if (const auto known = KnownSaver(saver)) {
    statement.saver = *known;
    return AddAssign(e->getArg(1), std::move(statement));
  }
  LowerOwnSave(e, &statement);
  AddWrite(std::move(statement));
}

/// The new element is what the saver makes of the old one and the expression's.
void BodyLowering::LowerOwnSave(const clang::CallExpr *e, Statement *statement) {
  const SourceLocation location = front_.Where(e->getArg(1)->getSourceRange());
  const bool is_product = IsProduct(e->getArg(1)->IgnoreParenImpCasts()->getType());
  const char *const what = "a matrix product with a saver of its own";
  if (is_product) RejectExpression(location, what, DiagId::kSaverProductNote);
  const auto save = [&](const Expr &value) { return OwnSave(e, statement->target, value); };
  tensors_.LowerValue(e->getArg(1), statement, save);
}

/// The saver that `e` calls, of a tensor's old element and a new one.
Expr BodyLowering::OwnSave(const clang::CallExpr *e, int target, const Expr &value) {
  const clang::FunctionDecl *save = SaveCalledBy(e->getDirectCallee());
  if (save == nullptr) RejectStatement(e);
  const Expr old = MakeRead(target, rule_.params[target].type);
  return WithLocation(scalars_.InlineUpdate(save, {old, value}, e),
                      front_.Where(e->getSourceRange()));
}

/// What an expression returns is what it writes.
void BodyLowering::LowerResult(const clang::Expr *value) {
  Statement statement;
  statement.number = ++number_;
  statement.target = 0;
  statement.location = front_.Where(value->getSourceRange());
  const std::string text = texts_->Find(value->getSourceRange());
  statement.text = text.empty() ? "" : rule_.params[0].name + " = " + text;
  statement.value = tensors_.Lower(value);
  out_->push_back(std::move(statement));
}

}  // namespace

void LowerBody(FrontEnd &front, const clang::FunctionDecl *instance, const StatementTexts &texts,
               Rule *rule) {
  BodyLowering(front, texts, rule).Run(instance);
}

}  // namespace mgen
