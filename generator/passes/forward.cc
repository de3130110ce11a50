// SPDX-License-Identifier: Apache-2.0
#include "passes/forward.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/walk.h"
#include "passes/traps.h"
#include "passes/unread.h"
#include "passes/variants.h"

namespace mgen {
namespace {

/// The tensors that ForwardableOf and KeptOf are about.
std::set<int> CandidatesOf(const Rule &kernel) {
  std::set<int> candidates;
  if (KeptBy(kernel).is_every()) return candidates;
  const std::set<int> values = ValuesOf(kernel);
  ForEachStatement(kernel, [&](const Statement &statement) {
    if (statement.kind != Statement::kAssign) return;
    const int target = statement.target;
    if (kernel.params[target].is_temporary && values.count(target) == 0) candidates.insert(target);
  });
  return candidates;
}

/// Finds those of some temporaries that cannot be forwarded, if the others are.
class Staleness {
 public:
  explicit Staleness(const std::set<int> &temporaries) : temporaries_(temporaries) {}

  std::set<int> Run(const std::vector<Statement> &body) {
    Visit(body);
    return std::move(failed_);
  }

 private:
  /// The value of a temporary at some point.
  struct Value {
    int number;             ///< of the statement, or of the choice between two values
    std::set<int> sources;  ///< what it is computed from
    bool may_trap;
    bool is_stale = false;
  };
  using Values = std::map<int, Value>;  // by temporary

  void Visit(const std::vector<Statement> &body) {
    for (const Statement &statement : body) {
      if (statement.kind == Statement::kIf) {
        VisitIf(statement);
      } else {
        VisitAssign(statement);
      }
    }
  }

  void VisitAssign(const Statement &statement) {
    const bool divides = statement.saver == Saver::kDiv && !IsFloat(statement.value->type.kind);
    Value value{++last_number_, {}, divides || AnyMayTrap(statement.value)};
    for (const auto &[tensor, axes] : ReadsOf(statement.value).operands) Read(tensor, axes, &value);
    if (statement.saver != Saver::kSave) Read(statement.target, Axes::Every(), &value);
    if (temporaries_.count(statement.target) != 0) {
      values_[statement.target] = std::move(value);
      return;
    }
    for (auto &[temporary, known] : values_) {
      known.is_stale = known.is_stale || known.sources.count(statement.target) != 0;
    }
  }

  void Read(int tensor, Axes axes, Value *by) {
    const auto known = values_.find(tensor);
    if (known == values_.end()) {  // also a temporary without a value, which another pass reports
      by->sources.insert(tensor);
      return;
    }
    const Value &value = known->second;
    if (value.is_stale || !axes.is_every()) failed_.insert(tensor);
    by->sources.insert(value.sources.begin(), value.sources.end());
    by->may_trap = by->may_trap || value.may_trap;
  }

  void VisitIf(const Statement &choice) {
    const Values before = values_;
    Visit(choice.then_body);
    Values after_then = std::exchange(values_, before);
    Visit(choice.else_body);
    for (auto &[temporary, value] : after_then) {
      const auto [known, is_new] = values_.emplace(temporary, value);
      if (is_new) continue;
      Value &other = known->second;
      other.is_stale = other.is_stale || value.is_stale;
      if (other.number == value.number) continue;
      // A select computes both values, but only the branch may keep one of them from trapping.
      if (other.may_trap || value.may_trap) failed_.insert(temporary);
      other.number = ++last_number_;
      other.sources.insert(value.sources.begin(), value.sources.end());
    }
  }

  const std::set<int> &temporaries_;
  Values values_;
  std::set<int> failed_;
  int last_number_ = 0;
};

/// Rewrites the statements of a body, and leaves out those that assign the temporaries.
class Forwarder {
 public:
  explicit Forwarder(const Rule &kernel)
      : kernel_(kernel), conditions_(ConditionsOf(kernel)), temporaries_(ForwardableOf(kernel)) {}

  std::vector<Statement> Run(const std::vector<Statement> &body) {
    std::vector<Statement> rest;
    for (const Statement &statement : body) {
      Statement copy = statement;
      if (statement.kind == Statement::kIf) {
        RunBranches(statement, &copy);
      } else {
        copy.value = Forwarded(statement.value);
        if (temporaries_.count(statement.target) != 0) {
          values_[statement.target] = Named(copy.value, statement.target);
          continue;
        }
      }
      rest.push_back(std::move(copy));
    }
    return rest;
  }

 private:
  void RunBranches(const Statement &choice, Statement *copy) {
    const std::map<int, Expr> before = values_;
    copy->then_body = Run(choice.then_body);
    const std::map<int, Expr> after_then = std::exchange(values_, before);
    copy->else_body = Run(choice.else_body);
    for (const auto &[temporary, value] : after_then) {
      // If only this branch assigns it, no launch that takes the other branch reads it.
      Expr &known = values_.emplace(temporary, value).first->second;
      if (known != value) known = Named(Choice(choice, value, known), temporary);
    }
  }

  Expr Choice(const Statement &choice, Expr then_value, Expr else_value) const {
    const RuleConditions::Use use = conditions_.uses.at(&choice);
    if (use.negated) std::swap(then_value, else_value);
    return MakeSelect(MakeCondition(use.condition), then_value, else_value);
  }

  Expr Named(const Expr &value, int temporary) const {
    return WithName(value, kernel_.params[temporary].name);
  }

  Expr Forwarded(const Expr &value) const {
    Rewriter rewrite([this](const Expr &node, std::vector<Expr> args) {
      const auto known = node->op == Op::kRead ? values_.find(node->index) : values_.end();
      return known != values_.end() ? known->second : WithArgs(node, std::move(args));
    });
    return rewrite(value);
  }

  const Rule &kernel_;
  const RuleConditions conditions_;
  const std::set<int> temporaries_;
  std::map<int, Expr> values_;  // by temporary
};

}  // namespace

std::set<int> ForwardableOf(const Rule &kernel) {
  std::set<int> temporaries = CandidatesOf(kernel);
  // Other temporaries may be computed from one that stays, so they are looked at again.
  for (bool changes = true; changes;) {
    changes = false;
    for (int failed : Staleness(temporaries).Run(kernel.stages.front().body)) {
      changes = temporaries.erase(failed) != 0 || changes;
    }
  }
  return temporaries;
}

std::set<int> KeptOf(const Rule &kernel) {
  std::set<int> kept = CandidatesOf(kernel);
  for (int temporary : ForwardableOf(kernel)) kept.erase(temporary);
  return kept;
}

Rule ForwardTemporaries(const Rule &kernel) {
  if (KeptBy(kernel).is_every()) return WithoutUnread(kernel);
  Rule forwarded = kernel;
  forwarded.stages.front().body = Forwarder(kernel).Run(kernel.stages.front().body);
  // A launch checks counts of elements even if nobody reads them. And without the statements that
  // are removed, the kernel must go over memory in the same way.
  if (!kernel.counted.empty()) return forwarded;
  Rule read = WithoutUnread(forwarded);
  return KeptBy(read) == KeptBy(kernel) ? read : forwarded;
}

}  // namespace mgen
