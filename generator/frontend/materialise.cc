// SPDX-License-Identifier: Apache-2.0
#include "frontend/materialise.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "frontend/expression_extents.h"
#include "frontend/expressions.h"
#include "frontend/lower_axes.h"
#include "frontend/types.h"
#include "ir/effects.h"
#include "ir/printer.h"
#include "ir/walk.h"

namespace mgen {

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
  std::optional<Extents> extents = ExtentsOfExpression(scalars_, e);
  if (!extents) return -1;
  Statement statement = Lower(e);
  const std::string text = Print(statement.value, scalars_.rule());
  if (const int known = TemporaryOf(text); known >= 0) return known;
  const std::vector<int> sources = SourcesOf(statement.value);
  Param temporary;
  temporary.is_tensor = temporary.is_temporary = true;
  temporary.type = statement.value->type;
  temporary.rank = static_cast<int>(extents->size());
  temporary.extents = std::move(*extents);
  temporary.location = statement.location;
  statement.target = add_temporary_(NameFor(e, sources), std::move(temporary));
  known_.push_back({statement.target, text, sources});
  made_.insert(statement.target);
  const int target = statement.target;
  Statement boundary;
  boundary.kind = Statement::kBoundary;
  add_statement_(boundary);
  add_statement_(std::move(statement));
  add_statement_(boundary);
  return target;
}

/// Lowers the statement that computes `e`. Tensors that must fit `e` are noted in this statement,
/// not in the one that reads it.
Statement Materialiser::Lower(const clang::Expr *e) {
  Statement statement;
  statement.is_made = true;
  statement.location = scalars_.front().Where(e->getSourceRange());
  std::vector<Expr> outer = std::exchange(tensors_.fitting(), {});
  std::vector<CountedExtent> outer_counts = std::exchange(tensors_.counts(), {});
  Restore<bool> values(tensors_.in_values());
  tensors_.in_values() = false;
  Restore<int> depth(depth_);
  ++depth_;
  statement.value = tensors_.Lower(e);
  const std::vector<Expr> fitting = std::exchange(tensors_.fitting(), std::move(outer));
  statement.counts = std::exchange(tensors_.counts(), std::move(outer_counts));
  AddFitting(scalars_.rule(), fitting, &statement);
  return statement;
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
  const std::string tensor = sources.empty() ? "" : scalars_.rule().params[sources[0]].name + "_";
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  if (!call || !IsAxisReduction(CalleeOf(call))) return tensor + "value";
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
