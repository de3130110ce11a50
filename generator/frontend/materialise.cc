// SPDX-License-Identifier: Apache-2.0
#include "frontend/materialise.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "frontend/counted_extents.h"
#include "frontend/expression_extents.h"
#include "frontend/expressions.h"
#include "frontend/lower_axes.h"
#include "frontend/reduced_axes.h"
#include "frontend/types.h"
#include "ir/builder.h"
#include "ir/effects.h"
#include "ir/printer.h"
#include "ir/walk.h"

namespace mgen {

namespace {

bool IsMadeReduction(const Statement &statement) {
  if (!statement.is_made) return false;
  const Node *value = statement.value.get();
  while (value->op == Op::kCast) value = value->args[0].get();
  return ClassOf(value->op) == OpClass::Reduce;
}

/// A temporary of these extents for the value of `statement`.
Param TemporaryFor(const Statement &statement, Extents extents) {
  Param temporary;
  temporary.is_tensor = temporary.is_temporary = true;
  temporary.type = statement.value->type;
  temporary.rank = static_cast<int>(extents.size());
  temporary.extents = std::move(extents);
  temporary.location = statement.location;
  return temporary;
}

}  // namespace

void AddMade(Statement statement, std::vector<Statement> *body) {
  Statement boundary;
  boundary.kind = Statement::kBoundary;
  const bool follows_reduction = body->size() >= 2 && IsMadeReduction(*(body->end() - 2)) &&
                                 body->back().kind == Statement::kBoundary;
  if (follows_reduction && IsMadeReduction(statement)) {
    body->pop_back();
  } else {
    body->push_back(boundary);
  }
  body->push_back(std::move(statement));
  body->push_back(boundary);
}

void NumberMade(std::vector<Statement> *body, int *next) {
  for (auto statement = body->rbegin(); statement != body->rend(); ++statement) {
    NumberMade(&statement->else_body, next);
    NumberMade(&statement->then_body, next);
    if (!statement->writes()) continue;
    if (statement->is_made) statement->number = *next;
    *next = statement->number;
  }
}

int Materialiser::Of(const clang::Expr *e) {
  if (scalars_.rule().is_expression) return -1;
  if (const int result = OfAxes(e); result >= 0) return result;
  std::optional<Extents> extents = ExtentsOfExpression(scalars_, e);
  if (!extents) return -1;
  Lowered lowered = Lower(e, [&] { return tensors_.Lower(e); });
  const std::string name = NameFor(e, SourcesOf(lowered.statement.value));
  return Add(std::move(lowered), name, std::move(*extents), /*is_flat=*/false);
}

Materialiser::Vector Materialiser::VectorOf(const clang::Expr *e, const std::string &name,
                                            const std::string &title, const Expr &length) {
  if (scalars_.rule().is_expression) return {-1, {}};
  Lowered lowered = Lower(e, [&] { return tensors_.Lower(e); });
  Statement &statement = lowered.statement;
  Param vector = TemporaryFor(statement, {length});
  vector.title = title;
  statement.target = add_temporary_(name, std::move(vector));
  CountElementsOf(scalars_.rule(), statement.target, &statement);
  AddFitting(scalars_.rule(), lowered.fitting, &statement);
  Vector made = {statement.target, SourcesOf(statement.value)};
  add_statement_(std::move(statement));
  return made;
}

int Materialiser::OfAxes(const clang::Expr *e) {
  if (scalars_.rule().is_expression || (declares_ && depth_ == 0)) return -1;
  Restore<Variables> now(scalars_.variables());
  const clang::Expr *reduction = e;
  if (const clang::VarDecl *variable = ExpressionNamedBy(Unwrapped(e))) {
    if (const Variables *then = scalars_.ScalarsOf(variable)) scalars_.variables() = *then;
    reduction = variable->getInit();
  }
  const std::optional<ReducedAxes> reduced = ReducedAxesOf(tensors_, reduction);
  if (!reduced) return -1;
  std::optional<Extents> extents = ExtentsOfExpression(scalars_, reduced->source);
  if (!extents) return -1;
  const ScalarKind element = tensors_.ElementKind(reduction);
  const ScalarKind sum = IsNarrowFloat(element) ? ScalarKind::kFloat32 : element;
  int result = -1;
  for (const ReducedAxis &axis : reduced->axes) {
    const auto reduce = [&](const Expr &value) {
      return MakeReduction(reduced->op, axis.kept, axis.order, MakeCast({sum}, value));
    };
    Lowered lowered = Lower(reduction, [&] {
      if (result < 0) return tensors_.LowerReduced(reduced->source, reduce);
      return reduce(MakeRead(result, scalars_.rule().params[result].type));
    });
    Expr &value = lowered.statement.value;
    const bool is_last = &axis == &reduced->axes.back();
    value = WithLocation(MakeCast({is_last ? element : sum}, value), lowered.statement.location);
    if (axis.keeps_dimension) {
      (*extents)[axis.number] = MakeLiteral(kIndexType, 1);
    } else {
      extents->erase(extents->begin() + axis.number);
    }
    const std::string name = NameFor(e, SourcesOf(value));
    result = Add(std::move(lowered), name, *extents, /*is_flat=*/true);
  }
  return result;
}

/// Lowers the statement that computes `e`. Tensors that must fit `e` are noted in this statement,
/// not in the one that reads it.
/// \param value lowers what the statement assigns
Materialiser::Lowered Materialiser::Lower(const clang::Expr *e,
                                          const std::function<Expr()> &value) {
  Lowered lowered;
  lowered.statement.is_made = true;
  lowered.statement.location = scalars_.front().Where(e->getSourceRange());
  std::vector<Expr> outer = std::exchange(tensors_.fitting(), {});
  std::vector<CountedExtent> outer_counts = std::exchange(tensors_.counts(), {});
  Restore<bool> values(tensors_.in_values());
  tensors_.in_values() = false;
  Restore<int> depth(depth_);
  ++depth_;
  lowered.statement.value = value();
  lowered.fitting = std::exchange(tensors_.fitting(), std::move(outer));
  lowered.statement.counts = std::exchange(tensors_.counts(), std::move(outer_counts));
  CountAlongUsed(scalars_.rule(), &lowered.statement);
  return lowered;
}

/// Adds the statement in a kernel of its own, and its temporary, unless there is one already.
/// \param is_flat whether the statement reduces, and so has the temporary's elements as a vector
int Materialiser::Add(Lowered lowered, const std::string &name, Extents extents, bool is_flat) {
  Statement &statement = lowered.statement;
  const std::string text = Print(statement.value, scalars_.rule());
  if (const int known = TemporaryOf(text); known >= 0) return known;
  const Param temporary = TemporaryFor(statement, std::move(extents));
  const int target = add_temporary_(name, temporary);
  known_.push_back({target, text, SourcesOf(statement.value)});
  made_.insert(target);
  statement.target = target;
  if (is_flat && temporary.rank != 1) {
    Param elements = temporary;
    elements.is_temporary = false;
    elements.extents.clear();
    elements.rank = 1;
    elements.view = View::ElementsOf(target);
    statement.target = tensors_.add_view()(name + "_elements", std::move(elements));
  }
  AddFitting(scalars_.rule(), lowered.fitting, &statement);
  add_statement_(std::move(statement));
  return target;
}

/// The temporary that has this value already; -1: none.
int Materialiser::TemporaryOf(const std::string &value) const {
  const auto known = std::find_if(known_.begin(), known_.end(),
                                  [&value](const Known &k) { return k.value == value; });
  return known == known_.end() ? -1 : known->temporary;
}

/// The tensors that a value reads, also through views and temporaries.
std::vector<int> Materialiser::SourcesOf(const Expr &value) const {
  std::set<int> sources;
  for (const Expr &read : ReadNodesOf(value)) {
    for (const int tensor : WithSources(scalars_.rule(), read->index)) {
      sources.insert(OwnerOf(scalars_.rule(), tensor));
    }
  }
  for (const Known &known : known_) {
    if (sources.count(known.temporary) != 0) {
      sources.insert(known.sources.begin(), known.sources.end());
    }
  }
  return {sources.begin(), sources.end()};
}

/// The spec's name for `e`; if there is none, one like "in_sum", of the tensor and the reducer.
std::string Materialiser::NameFor(const clang::Expr *e, const std::vector<int> &sources) const {
  e = Unwrapped(e);
  if (const clang::VarDecl *name = ExpressionNamedBy(e)) return name->getNameAsString();
  if (std::string name = tensors_.NameDeclaredFor(e); !name.empty()) return name;
  const std::string tensor = sources.empty() ? "" : scalars_.rule().params[sources[0]].name + "_";
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  if (!call || !ReducesAxes(CalleeOf(call))) return tensor + "value";
  const auto *reducer = call->getDirectCallee()->getTemplateSpecializationArgs();
  const Reducing reducing = ReducingBy((*reducer)[0].getAsType());
  if (reducing == Reducing::kOwn) return tensor + "reduced";
  return tensor + std::string(IrName(ReductionOp(reducing)));
}

bool Materialiser::IsCurrent(const Expr &value) const {
  const auto is_known = [this](int temporary) {
    return std::any_of(known_.begin(), known_.end(),
                       [temporary](const Known &known) { return known.temporary == temporary; });
  };
  for (const Expr &read : ReadNodesOf(value)) {
    for (const int tensor : WithSources(scalars_.rule(), read->index)) {
      if (made_.count(tensor) != 0 && !is_known(tensor)) return false;
    }
  }
  return true;
}

/// Arguments may share memory. So after a write to one, no value counts as known.
void Materialiser::Written(int tensor) {
  const int owner = OwnerOf(scalars_.rule(), tensor);
  if (!scalars_.rule().params[owner].is_temporary) return known_.clear();
  const auto reads = [owner](const Known &known) {
    return std::find(known.sources.begin(), known.sources.end(), owner) != known.sources.end();
  };
  known_.erase(std::remove_if(known_.begin(), known_.end(), reads), known_.end());
}

void Materialiser::EndBranch(const std::vector<Known> &before) {
  const auto was_known = [&before](const Known &known) {
    return std::any_of(before.begin(), before.end(), [&known](const Known &other) {
      return other.temporary == known.temporary;
    });
  };
  known_.erase(std::remove_if(known_.begin(), known_.end(), std::not_fn(was_known)),
               known_.end());
}

}  // namespace mgen
