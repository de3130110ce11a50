// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_tensor.h"

#include <algorithm>

#include "frontend/advice.h"
#include "frontend/clang_compat.h"
#include "frontend/counted_extents.h"
#include "frontend/expressions.h"
#include "frontend/find_calls.h"
#include "frontend/lower_axes.h"
#include "frontend/lower_diagonal.h"
#include "frontend/lower_index.h"
#include "frontend/lower_mapped_view.h"
#include "frontend/lower_product.h"
#include "frontend/lower_scan.h"
#include "frontend/lower_view.h"
#include "frontend/materialise.h"
#include "frontend/reduced_axes.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "frontend/view_rank.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// What a node is called in messages, and nothing if it is element-wise.
std::string DescribeNode(const std::string &record) {
  if (record == "mshadow::expr::TransposeExp") return "a transposed tensor";
  if (record == "mshadow::expr::DotExp") return "a matrix product";
  const size_t colon = record.rfind(':');
  return "'" + (colon == std::string::npos ? record : record.substr(colon + 1)) + "'";
}

/// Functions whose operands the generator reads at places of its own choice; not those of a view.
bool KeepsPlaces(const std::string &name) {
  static const char *const kFunctions[] = {
      "mshadow::expr::broadcast",      "mshadow::expr::broadcast_scalar",
      "mshadow::expr::repmat",         "mshadow::expr::mat_choose_row_element",
      "mshadow::expr::one_hot_encode", "mshadow::expr::mat_fill_row_element"};
  return std::find(std::begin(kFunctions), std::end(kFunctions), name) != std::end(kFunctions);
}

bool IsInSpec(const clang::FunctionDecl &function, const FrontEnd &front) {
  const clang::SourceManager &sources = front.ast.getSourceManager();
  return sources.isInMainFile(sources.getExpansionLoc(function.getLocation()));
}

}  // namespace

bool TensorLowering::HasRankParam(const Rule &rule) {
  return std::any_of(rule.params.begin(), rule.params.end(),
                     [](const Param &p) { return p.is_tensor && p.rank == Param::kRankParam; });
}

ScalarKind TensorLowering::ElementKind(const clang::Expr *e) {
  const auto element = ElementTypeOf(e->getType());
  const auto kind = element ? ScalarKindOf(front_.ast, *element) : std::nullopt;
  if (kind && IsElementKind(*kind)) return *kind;
  const SourceLocation location = front_.Where(e->getSourceRange());
  front_.diagnostics
      .Report(DiagId::kUnsupportedType, location,
              TypeText(front_.ast, element ? *element : e->getType()), "a tensor expression")
      .Note(DiagId::kUnsupportedTypeNote, location);
  throw Rejected();
}

void TensorLowering::RejectNode(const clang::Expr *e) {
  const SourceLocation location = front_.Where(e->getSourceRange());
  front_.diagnostics
      .Report(DiagId::kNotElementWise, location, DescribeNode(RecordName(e->getType())))
      .Note(IsProduct(e->getType()) ? DiagId::kProductNote : DiagId::kNotElementWiseNote, location);
  throw Rejected();
}

Expr TensorLowering::Lower(const clang::Expr *e) {
  e = StripWrappers(e);
  front_.Step(e->getSourceRange());
  return LowerNew(e);
}

void AddFitting(const Rule &rule, const std::vector<Expr> &fitting, Statement *statement) {
  const std::vector<Expr> reads = ReadNodesOf(statement->value);
  // What is reduced within an expression of elements may have another shape than these. (What is
  // assigned to several tensors has no target yet.)
  const bool is_vector = statement->target >= 0 && rule.params[statement->target].rank == 1;
  std::set<const Node *> of_other_shape;
  if (!is_vector) of_other_shape = BelowReductions(statement->value);
  for (const Expr &other : fitting) {
    if (ClassOf(other->op) == OpClass::Reduce) {  // LowerReduced has looked for it
      statement->fitting.push_back(other);
      continue;
    }
    const bool is_target = other->index == statement->target && IsInPlace(*other);
    const bool is_read = std::any_of(reads.begin(), reads.end(), [&](const Expr &read) {
      if (of_other_shape.count(read.get()) != 0) return false;
      return other->op == Op::kRead ? IsSameRead(*read, *other)
                                    : read->index == other->index && IsInPlace(*read);
    });
    if (!is_target && !is_read) statement->fitting.push_back(other);
  }
}

void TensorLowering::LowerValue(const clang::Expr *e, Statement *statement,
                                const std::function<Expr(const Expr &)> &save) {
  fitting_.clear();
  counts_.clear();
  const bool is_diagonal = materialiser_ && IsDiagonal(scalars_.rule(), statement->target);
  const Expr value = is_diagonal ? LowerOnDiagonal(*this, *materialiser_, e, statement) : Lower(e);
  statement->counts = counts_;
  statement->value = save ? NoteUnread({value}, save(value)) : value;
  CountAlongUsed(scalars_.rule(), statement);
  AddFitting(scalars_.rule(), fitting_, statement);
}

/// An operator may not use an operand, whose tensors must fit all the same: unfused, the expression
/// is checked as it is written.
/// \returns the result, which discards reductions and picked elements that it does not use
Expr TensorLowering::NoteUnread(const std::vector<Expr> &operands, Expr result) {
  const auto is_used_itself = [&result](const Expr &operand) {
    return std::find(result->args.begin(), result->args.end(), operand) != result->args.end();
  };
  // Nearly always an operator uses what it is given.
  if (std::all_of(operands.begin(), operands.end(), is_used_itself)) return result;
  const std::vector<Expr> used = ReadNodesOf(result), reductions = OutermostReductions(result);
  // What is reduced may have another shape than what is read element by element.
  const std::set<const Node *> reduced = BelowReductions(result);
  std::vector<Expr> discarded;
  for (const Expr &operand : operands) {
    const std::set<const Node *> reduced_here = BelowReductions(operand);
    for (const Expr &read : ReadNodesOf(operand)) {
      if (reduced_here.count(read.get()) != 0) continue;
      const bool is_used = std::any_of(used.begin(), used.end(), [&](const Expr &other) {
        return IsSameRead(*read, *other) && reduced.count(other.get()) == 0;
      });
      if (is_used || (IsGather(*read) && !IsPicked(*read))) continue;
      (IsPicked(*read) ? discarded : fitting_).push_back(read);
    }
    for (const Expr &reduction : OutermostReductions(operand)) {
      const bool is_used =
          std::find(reductions.begin(), reductions.end(), reduction) != reductions.end();
      if (!is_used) discarded.push_back(reduction);
    }
  }
  for (const Expr &value : discarded) {
    result = MakeOp(Op::kDiscard, {MakeCast(result->type, value), result});
  }
  return result;
}

Expr TensorLowering::LowerNew(const clang::Expr *e) {
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(e)) return LowerName(ref);
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e)) return Lower(cast->getSubExpr());
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(e)) {
    const Expr condition = scalars_.Lower(choice->getCond());
    const Expr if_true = Lower(choice->getTrueExpr());
    return Choose(condition, if_true, Lower(choice->getFalseExpr()));
  }
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(e)) {
    const clang::CXXMethodDecl *method = member->getMethodDecl();
    const std::string name = method ? method->getNameAsString() : "";
    if (name == "self" || name == "ptrself" || name == "real_self") {
      return Lower(member->getImplicitObjectArgument());
    }
    if (IsExpression(e->getType())) return LowerView(e);
    RejectNode(e);
  }
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e)) return LowerCall(call);
  if (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(e)) {
    if (construct->getConstructor()->isCopyOrMoveConstructor()) return Lower(construct->getArg(0));
    return LowerNode(e, {construct->arg_begin(), construct->arg_end()});
  }
  RejectNode(e);
}

Expr TensorLowering::LowerCall(const clang::CallExpr *e) {
  const clang::FunctionDecl *callee = e->getDirectCallee();
  const std::string name = callee ? QualifiedName(*callee) : "";
  const bool is_ours = !callee || compat::StartsWith(name, "mshadow::");
  if (name == "mshadow::expr::where") {
    return LowerMap(e, {e->arg_begin(), e->arg_end()}, in_place());
  }
  if (name == "mshadow::expr::range") return IndexLowering(*this).LowerRange(e);
  if (!is_ours && (!IsView(e->getType()) || IsInSpec(*callee, front_))) return LowerHelper(e);
  if (IsAxisReduction(name) || IsAxisBroadcast(name)) {
    AxisLowering axes(*this);
    const std::optional<Expr> value =
        IsAxisReduction(name) ? axes.LowerReduction(e) : axes.LowerBroadcast(e);
    if (value) return WithLocation(*value, front_.Where(e->getSourceRange()));
  }
  if (materialiser_ && ReducesAxes(name)) {
    if (const int result = materialiser_->OfAxes(e); result >= 0) return ReadOf(result, e);
  }
  const bool is_part = IsTensor(e->getType());  // t[i]
  if (is_part || IsView(e->getType())) return LowerView(e);
  const bool maps = KeepsPlaces(name);
  const bool has_values = maps && AxisLowering(*this).IsBroadcastOfValues(e);
  if (maps && !has_values &&
      (ViewLowering(scalars_).IsMentionedIn(e) || CountsColumns(e) || SpreadsChoice(e))) {
    return LowerView(e);
  }
  if (name == "mshadow::expr::broadcast" || name == "mshadow::expr::repmat" ||
      name == "mshadow::expr::broadcast_scalar") {
    return IndexLowering(*this).LowerBroadcast(e, name.substr(name.rfind(':') + 1));
  }
  if (name == "mshadow::expr::one_hot_encode") {
    return one_hots_are_views_ ? LowerView(e) : IndexLowering(*this).LowerOneHot(e);
  }
  if (name == "mshadow::expr::mat_fill_row_element") return IndexLowering(*this).LowerFill(e);
  if (name == "mshadow::expr::mat_choose_row_element") return IndexLowering(*this).LowerChoose(e);
  return LowerNode(e, {e->arg_begin(), e->arg_end()});
}

/// Whether a broadcast in a rule for any rank, where kernels know of no numbers of columns, has
/// some.
bool TensorLowering::CountsColumns(const clang::CallExpr *e) const {
  if (!HasRankParam(scalars_.rule())) return false;
  return FindCall(e, [](const clang::FunctionDecl &callee) {
           return QualifiedName(callee) == "mshadow::expr::range";
         }) != nullptr;
}

/// Whether a vector of elements of rows, which is a value of each row, is broadcast along another
/// dimension.
bool TensorLowering::SpreadsChoice(const clang::CallExpr *e) const {
  if (RecordName(e->getType()) != "mshadow::expr::Broadcast1DExp") return false;
  const clang::TemplateArgumentList *args = TemplateArgs(e->getType());
  const bool spreads_rows = (*args)[2].getAsIntegral() == 2 && (*args)[3].getAsIntegral() == 2;
  return !spreads_rows && FindCall(e->getArg(0), [](const clang::FunctionDecl &callee) {
                            return QualifiedName(callee) == "mshadow::expr::mat_choose_row_element";
                          }) != nullptr;
}

/// An index map is a tensor of the rule's own, which emitted code makes of arguments.
Expr TensorLowering::LowerView(const clang::Expr *e) {
  if (const int part = PartOf(e); part >= 0) return ReadOf(part, e);
  View whole = ViewLowering(scalars_, materialiser_).Lower(e);
  const auto leaf = [&](const Replacements &replaced, const clang::Expr *of) {
    Restore<std::pair<const clang::Expr *, std::string>> named(named_);
    named_ = {};
    return ReadOf(AddViewOf(e, ViewLowering(scalars_, materialiser_).Lower(e, replaced), of), e);
  };
  const std::optional<Expr> computed = MappedViewLowering(*this, leaf).Lower(e);
  const Expr element = ReadOf(AddViewOf(e, std::move(whole), e), e);
  if (!computed) return element;
  fitting_.push_back(element);  // the operands must fit each other
  return *computed;
}

Expr TensorLowering::ReadOf(int param, const clang::Expr *e) {
  return WithLocation(MakeRead(param, scalars_.rule().params[param].type),
                      front_.Where(e->getSourceRange()));
}

int TensorLowering::PartOf(const clang::Expr *e) {
  std::optional<View> part = ViewLowering(scalars_).LowerPart(e);
  e = StripWrappers(e)->IgnoreImplicit();
  return part ? AddViewOf(e, std::move(*part), e) : -1;
}

int TensorLowering::AddViewOf(const clang::Expr *e, View view, const clang::Expr *of) {
  const std::vector<int> arguments = view.Arguments();  // none of numbers alone
  const Param source = arguments.empty() ? Param() : scalars_.rule().params[arguments.front()];
  Param param;
  param.is_tensor = true;
  param.is_const = !view.is_part() || source.is_const;
  param.type.kind = ElementKind(of);
  // In a rule for any rank a view is of that rank.
  param.rank = view.is_part() && !view.is_reshaped ? source.rank
               : HasRankParam(scalars_.rule())     ? Param::kRankParam
                                                   : RankOf(e->getType());
  param.location = front_.Where(e->getSourceRange());
  const std::string name = named_.first == e   ? named_.second
                           : arguments.empty() ? ViewLowering::NameOf(view)
                                               : source.name + "_" + ViewLowering::NameOf(view);
  param.view = std::move(view);
  return add_view_(name, std::move(param));
}

Expr TensorLowering::LowerName(const clang::DeclRefExpr *e) {
  if (const int param = scalars_.TensorOf(e); param >= 0) return ReadOf(param, e);
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(e->getDecl());
  const auto alias = variable ? aliases_.find(variable) : aliases_.end();
  if (alias == aliases_.end()) RejectNode(e);
  CheckFresh(e, alias->second);
  const bool is_for_temporary = materialiser_ && materialiser_->is_at_work();
  const bool has_views = one_hots_are_views_ || repeats_by_views_;  // where names may have none
  if (has_views || (is_for_temporary && IsReduced(variable->getInit())))
    return LowerAnew(variable);
  const bool is_reduced = in_values_ && alias->second.reduced;
  Expr &value = is_reduced ? alias->second.reduced : alias->second.value;
  const bool is_current = value && (!materialiser_ || materialiser_->IsCurrent(value));
  if (!is_current) value = LowerAlias(variable, is_reduced).value;
  fitting_.insert(fitting_.end(), alias->second.fitting.begin(), alias->second.fitting.end());
  counts_.insert(counts_.end(), alias->second.counts.begin(), alias->second.counts.end());
  return value;
}

/// What a variable names, for a temporary: there, reductions in it become temporaries, too. The
/// variable's name is left to them.
Expr TensorLowering::LowerAnew(const clang::VarDecl *variable) {
  Restore<Variables> now(scalars_.variables());
  if (const Variables *then = scalars_.ScalarsOf(variable)) scalars_.variables() = *then;
  Restore<std::pair<const clang::Expr *, std::string>> named(named_);
  named_ = {};
  return Lower(variable->getInit());
}

void TensorLowering::CheckFresh(const clang::DeclRefExpr *e, const Alias &alias) {
  for (const auto &[param, version] : alias.versions) {
    const std::vector<Write> &writes = writes_[param];
    const auto write = std::find_if(writes.begin() + version, writes.end(), [this](const Write &w) {
      return !AreExclusive(w.guard, scalars_.guard(), scalars_.rule());
    });
    if (write == writes.end()) continue;
    const SourceLocation location = front_.Where(e->getSourceRange());
    const std::string &tensor = scalars_.rule().params[param].name;
    front_.diagnostics.Report(DiagId::kStaleName, location, e->getDecl()->getNameAsString(), tensor)
        .Note(DiagId::kDefinedHere, alias.location, e->getDecl()->getNameAsString())
        .Note(DiagId::kWrittenHere, write->location, tensor)
        .Note(DiagId::kStaleNameNote, location);
    return;
  }
}

namespace {

/// Whether a view, or a part of a tensor, is made in there.
bool MakesView(const clang::Stmt *e) {
  if (!e) return false;
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  if (call && (IsView(call->getType()) || IsTensor(call->getType()))) return true;
  return std::any_of(e->child_begin(), e->child_end(), MakesView);
}

}  // namespace

/// A view looks at shapes and ranges when it is made, which unfused is where it is named.
void TensorLowering::CheckUsed(const clang::VarDecl *variable) {
  if (variable->isReferenced() || !MakesView(variable->getInit())) return;
  const SourceLocation location = front_.Where(variable->getLocation());
  front_.diagnostics.Report(DiagId::kUnusedView, location, variable->getNameAsString())
      .Note(DiagId::kUnusedViewNote, location);
}

void TensorLowering::Declare(const clang::VarDecl *variable) {
  if (!variable->getInit()) RejectNode(nullptr);
  if (const int param = scalars_.TensorOf(variable->getInit()); param >= 0) {
    scalars_.AddTensor(variable, param);  // another view of the same tensor
    return;
  }
  CheckUsed(variable);
  named_ = {StripWrappers(variable->getInit())->IgnoreImplicit(), variable->getNameAsString()};
  if (const int param = PartOf(variable->getInit()); param >= 0) {
    scalars_.AddTensor(variable, param);
    return;
  }
  scalars_.NameExpression(variable);
  // As a view it would be one of the rule's operands, whether it is used as one or not.
  const std::optional<ReducedAxis> axis = AxisLowering(*this).AxisOf(variable->getInit());
  Restore<bool> declares(materialiser_->declares());
  materialiser_->declares() = true;
  Alias alias = LowerAlias(variable, axis.has_value());
  for (const Expr &read : ReadNodesOf(alias.value)) {
    alias.versions[read->index] = static_cast<int>(writes_[read->index].size());
  }
  if (axis) alias.reduced = std::exchange(alias.value, nullptr);
  // Lowered anew where it is used: there kernels of their own may reduce.
  if (ReducesAxes(variable->getInit())) alias.value = nullptr;
  alias.axis = axis;
  aliases_[variable] = std::move(alias);
}

namespace {

/// What is reduced has the name, too, where it is a vector of the rule's own.
Expr Named(const Expr &value, const std::string &name) {
  const bool is_cast = value->op == Op::kCast && ClassOf(value->args[0]->op) == OpClass::Reduce;
  return WithName(is_cast ? MakeCast(value->type, WithName(value->args[0], name)) : value, name);
}

}  // namespace

/// What a variable names, with the scalars of where it was named.
Alias TensorLowering::LowerAlias(const clang::VarDecl *variable, bool in_values) {
  Restore<Variables> now(scalars_.variables());
  if (const Variables *then = scalars_.ScalarsOf(variable)) scalars_.variables() = *then;
  Restore<bool> values(in_values_);
  in_values_ = in_values;
  named_ = {StripWrappers(variable->getInit())->IgnoreImplicit(), variable->getNameAsString()};
  std::vector<Expr> outer;
  std::vector<CountedExtent> outer_counts;
  std::swap(fitting_, outer);
  std::swap(counts_, outer_counts);
  Alias alias;
  alias.value = Named(Lower(variable->getInit()), variable->getNameAsString());
  alias.fitting = std::exchange(fitting_, std::move(outer));
  alias.counts = std::exchange(counts_, std::move(outer_counts));
  alias.location = front_.Where(variable->getLocation());
  return alias;
}

void TensorLowering::Written(int param, const SourceLocation &location) {
  writes_[param].push_back({location, scalars_.guard()});
  if (materialiser_) materialiser_->Written(param);
}

Expr TensorLowering::LowerNode(const clang::Expr *e,
                               const std::vector<const clang::Expr *> &operands) {
  const std::string record = RecordName(e->getType());
  const ScalarKind element = ElementKind(e);
  if (!IsReduction(record)) RejectAloneIn(operands);
  if (record == "mshadow::expr::ScalarExp" && operands.size() == 1) {
    return IsExpression(operands[0]->getType()) ? Lower(operands[0])
                                                : Convert(element, scalars_.Lower(operands[0]));
  }
  if (IsReduction(record)) return LowerReduction(e, operands);
  if (IsScan(record)) return ScanLowering(*this, reducers_).Lower(e, operands);
  if (!MapsElements(e->getType())) RejectNode(e);
  return LowerMap(e, operands, in_place());
}

/// Unfused, too, a reduction or a scan is no operand.
void TensorLowering::RejectAloneIn(const std::vector<const clang::Expr *> &operands) {
  for (const clang::Expr *operand : operands) {
    const std::string record = RecordName(StripWrappers(operand)->IgnoreImplicit()->getType());
    if (IsScan(record)) {
      RejectScan(front_, operand, "must be the whole right side of an assignment",
                 "assign it to a tensor or a Temporary first, and use that here");
    }
    if (!IsReduction(record)) continue;
    const SourceLocation location = front_.Where(operand->getSourceRange());
    front_.diagnostics.Report(DiagId::kNestedReduction, location)
        .Note(DiagId::kNestedReductionNote, location);
    throw Rejected();
  }
}

/// A function of the spec's that returns an expression: names for its parameters, then its return.
Expr TensorLowering::LowerHelper(const clang::CallExpr *e) {
  const clang::FunctionDecl *definition = nullptr;
  const clang::FunctionDecl *callee = e->getDirectCallee();
  const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(callee->getBody(definition));
  const SourceLocation location = front_.Where(e->getSourceRange());
  if (!body || helpers_ >= FrontEnd::kMaxInlining) {
    front_.diagnostics.Report(body ? DiagId::kRecursion : DiagId::kUnsupportedCall, location,
                              callee->getNameAsString(), "a rule");
    throw Rejected();
  }
  Restore<int> nesting(helpers_);
  Restore<std::map<const clang::VarDecl *, Alias>> names(aliases_);
  Restore<Variables> variables(scalars_.variables());
  ++helpers_;
  for (unsigned i = 0; i < e->getNumArgs(); ++i) {
    const clang::ParmVarDecl *parameter = definition->getParamDecl(i);
    if (const int tensor = scalars_.TensorOf(e->getArg(i)); tensor >= 0) {
      scalars_.AddTensor(parameter, tensor);
    } else if (IsExpression(parameter->getType())) {
      aliases_[parameter] = {Lower(e->getArg(i)), location};
    } else {
      scalars_.variables().Set(parameter, scalars_.Lower(e->getArg(i)));
    }
  }
  for (const clang::Stmt *statement : body->body()) {
    if (const auto *result = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
      return Lower(result->getRetValue());
    }
    const auto *cast = llvm::dyn_cast<clang::CastExpr>(statement);
    if (cast && cast->getCastKind() == clang::CK_ToVoid) continue;  // (void)unused;
    const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
    if (!declaration) break;
    for (const clang::Decl *d : declaration->decls()) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(d);
      if (!variable) continue;
      if (IsExpression(variable->getType())) {
        Declare(variable);
      } else {
        scalars_.Declare(variable);
      }
    }
  }
  front_.diagnostics
      .Report(DiagId::kUnsupportedStatement, location, "a function of more than names and a return",
              "a tensor expression")
      .Note(DiagId::kStatementNote, location);
  throw Rejected();
}

}  // namespace mgen
