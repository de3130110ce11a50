// SPDX-License-Identifier: Apache-2.0
#include "passes/merge_instances.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ir/builder.h"
#include "passes/merge_exprs.h"
#include "passes/simplify_casts.h"

namespace mgen {
namespace {

using Instances = std::vector<const Rule *>;
using Bodies = std::vector<const std::vector<Statement> *>;

/// "float" and so on, for messages; several type parameters are separated by commas.
std::string NameOfInstance(const Rule &rule) {
  std::string name;
  for (ScalarKind kind : rule.instances.front()) {
    if (!name.empty()) name += ", ";
    name += CppName(kind);
  }
  return name;
}

/// Whether several types have these kinds: a kind, and a type parameter that is always this kind.
bool IsAmbiguous(const std::vector<Type> &candidates) { return candidates.size() > 1; }

class Merger {
 public:
  explicit Merger(const std::vector<Rule> &instances)
      : rules_(instances), types_(TuplesOf(instances)), exprs_(types_, merged_) {}

  Rule Run() {
    merged_ = rules_[0];
    merged_.instances = TuplesOf(rules_);
    merged_.prologue.clear();
    MergeParams();
    for (const Rule &rule : rules_) {
      Require(rule, rule.reducers.size() == merged_.reducers.size(), "it has other reducers");
    }
    for (size_t i = 0; i < merged_.reducers.size(); ++i) MergeReducer(i, &merged_.reducers[i]);
    MergePrologue();
    MergeViews();
    for (const Rule &rule : rules_) {
      Require(rule, rule.stages.size() == merged_.stages.size(), "it has other statements");
    }
    for (size_t i = 0; i < merged_.stages.size(); ++i) {
      Bodies bodies;
      for (const Rule &rule : rules_) bodies.push_back(&rule.stages[i].body);
      merged_.stages[i].body = MergeBody(bodies);
    }
    return SimplifyCasts(std::move(merged_));
  }

 private:
  static std::vector<std::vector<ScalarKind>> TuplesOf(const std::vector<Rule> &rules) {
    std::vector<std::vector<ScalarKind>> tuples;
    for (const Rule &rule : rules) tuples.push_back(rule.instances.front());
    return tuples;
  }

  size_t IndexOf(const Rule &rule) const { return static_cast<size_t>(&rule - rules_.data()); }

  void Require(const Rule &rule, bool condition, const std::string &what) const {
    if (condition) return;
    throw InstancesDiffer{IndexOf(rule), what, rule.location, rules_[0].location};
  }

  void MergeParams() {
    const auto is_marked = [](const Param &param) { return param.type.symbolic(); };
    const auto &params = merged_.params;
    const bool marked = std::any_of(params.begin(), params.end(), is_marked);
    for (size_t i = 0; i < merged_.params.size(); ++i) {
      Kinds kinds;
      for (const Rule &rule : rules_) {
        Require(rule, rule.params.size() == merged_.params.size(), "it has other parameters");
        kinds.push_back(rule.params[i].type.kind);
      }
      Param &param = merged_.params[i];
      const std::vector<Type> candidates = types_.Candidates(kinds);
      if (candidates.empty()) {
        throw InstancesDiffer{rules_.size() - 1, "'" + param.name + "' has another type",
                              rules_.back().params[i].location, param.location};
      }
      if (marked && param.type.symbolic()) continue;
      const bool concrete = marked || !param.is_tensor;
      param.type = IsAmbiguous(candidates) && concrete ? candidates.back() : candidates.front();
    }
  }

  void MergeReducer(size_t number, Reducer *reducer) {
    Kinds kinds;
    std::vector<Expr> initial, reduce, merge;
    for (const Rule &rule : rules_) {
      const Reducer &other = rule.reducers[number];
      Require(rule, other.name == reducer->name, "it uses another reducer");
      kinds.push_back(other.type.kind);
      initial.push_back(other.initial);
      reduce.push_back(other.reduce);
      merge.push_back(other.merge);
    }
    // If the accumulator could be `float` or DType, it is DType, as elements are.
    const std::vector<Type> candidates = types_.Candidates(kinds);
    Require(rules_.back(), !candidates.empty(), "a reducer has another type");
    reducer->type = candidates.front();
    exprs_.set_operand_type(reducer->type);
    const bool is_one = reduce == merge;
    reducer->initial = exprs_.AsType(exprs_.Merge(initial), reducer->type);
    reducer->reduce = exprs_.AsType(exprs_.Merge(reduce), reducer->type);
    reducer->merge = is_one ? reducer->reduce : exprs_.AsType(exprs_.Merge(merge), reducer->type);
  }

  void MergePrologue() {
    for (size_t i = 0; i < rules_[0].prologue.size(); ++i) {
      std::vector<Expr> values;
      for (const Rule &rule : rules_) {
        Require(rule, rule.prologue.size() == rules_[0].prologue.size(), "it has other variables");
        values.push_back(rule.prologue[i].value);
      }
      Local local = rules_[0].prologue[i];
      local.value = exprs_.Merge(values);
      local.type = local.value->type;
      merged_.prologue.push_back(std::move(local));
    }
  }

  /// Views must have the same text. Their operands are merged.
  void MergeViews() {
    for (size_t i = 0; i < merged_.params.size(); ++i) {
      if (!merged_.params[i].view) continue;
      View &view = *merged_.params[i].view;
      for (const Rule &rule : rules_) {
        const std::optional<View> &other = rule.params[i].view;
        const bool same = other && other->text == view.text && other->headers == view.headers &&
                          other->ranges == view.ranges && other->least_rank == view.least_rank;
        Require(rule, same && SameOperands(*other, view), "a view reads other elements");
      }
      for (size_t k = 0; k < view.operands.size(); ++k) MergeOperand(i, k, &view.operands[k]);
    }
  }

  static bool SameOperands(const View &a, const View &b) {
    return std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end(),
                      [](const View::Operand &x, const View::Operand &y) {
                        return x.kind == y.kind && x.param == y.param && x.offset == y.offset;
                      });
  }

  void MergeOperand(size_t param, size_t number, View::Operand *operand) {
    std::vector<Expr> values;
    Kinds kinds;
    for (const Rule &rule : rules_) {
      const View::Operand &other = rule.params[param].view->operands[number];
      values.push_back(other.value);
      kinds.push_back(other.type.kind);
    }
    if (operand->has_value()) operand->value = exprs_.Merge(values);
    if (operand->kind != View::Operand::kType) return;
    const std::vector<Type> candidates = types_.Candidates(kinds);
    Require(rules_.back(), !candidates.empty(), "a view has another element type");
    operand->type = candidates.front();
  }

  std::vector<Statement> MergeBody(const Bodies &bodies) {
    std::vector<Statement> merged;
    for (size_t i = 0; i < bodies.size(); ++i) {
      Require(rules_[i], bodies[i]->size() == bodies[0]->size(), "it has other statements");
    }
    for (size_t s = 0; s < bodies[0]->size(); ++s) {
      std::vector<const Statement *> statements;
      for (const std::vector<Statement> *body : bodies) statements.push_back(&(*body)[s]);
      merged.push_back(MergeStatement(statements));
    }
    return merged;
  }

  Statement MergeStatement(const std::vector<const Statement *> &statements) {
    const Statement &first = *statements[0];
    std::vector<Expr> values;
    Bodies then_bodies;
    Bodies else_bodies;
    for (size_t i = 0; i < statements.size(); ++i) {
      const Statement &other = *statements[i];
      const bool same = other.kind == first.kind && other.target == first.target &&
                        other.saver == first.saver && IsSame(other.left, first.left) &&
                        IsSame(other.right, first.right) && other.clips == first.clips &&
                        other.sort == first.sort;
      if (!same) {
        throw InstancesDiffer{i, "this is another statement", other.location, first.location};
      }
      values.push_back(first.kind == Statement::kIf ? other.condition : other.value);
      then_bodies.push_back(&other.then_body);
      else_bodies.push_back(&other.else_body);
    }
    Statement merged = first;
    if (first.kind == Statement::kBoundary) return merged;
    const Expr value = MergeIn(statements, values);
    if (first.kind == Statement::kIf) {
      merged.condition = value;
      merged.then_body = MergeBody(then_bodies);
      merged.else_body = MergeBody(else_bodies);
    } else {
      merged.value = AsTarget(value, merged_.params[first.target].type);
      for (Expr &e : merged.fitting) e = MergedFitting(e);
    }
    return merged;
  }

  /// The same expression in all instances, with the element types of the merged parameters.
  Expr MergedFitting(const Expr &e) const {
    if (e->op == Op::kRead) return MakeRead(e->index, merged_.params[e->index].type, e->args);
    if (ClassOf(e->op) != OpClass::Reduce) return e;
    return MakeReduction(e->op, e->dim, e->order, MergedFitting(e->args[0]));
  }

  Expr MergeIn(const std::vector<const Statement *> &statements, const std::vector<Expr> &values) {
    try {
      return exprs_.Merge(values);
    } catch (InstancesDiffer &differ) {
      differ.PlaceAt(statements[differ.instance]->location, statements[0]->location);
      throw;
    }
  }

  static bool IsSame(const Factor &a, const Factor &b) {
    return a.tensor == b.tensor && a.transposed == b.transposed;
  }

  /// A value of the target's kinds may still go by another name, `float` instead of DType.
  Expr AsTarget(const Expr &value, Type type) const {
    return types_.KindsOf(value->type) == types_.KindsOf(type) ? exprs_.AsType(value, type) : value;
  }

  const std::vector<Rule> &rules_;
  TypeTable types_;
  Rule merged_;
  ExprMerger exprs_;
};

}  // namespace

namespace {

/// The first two instances that cannot be merged; empty if each two can.
std::vector<Rule> FindPair(const std::vector<Rule> &instances) {
  for (size_t i = 0; i < instances.size(); ++i) {
    for (size_t k = i + 1; k < instances.size(); ++k) {
      std::vector<Rule> pair = {instances[i], instances[k]};
      try {
        Merger(pair).Run();
      } catch (const InstancesDiffer &) {
        return pair;
      }
    }
  }
  return {};
}

void Report(const std::vector<Rule> &instances, InstancesDiffer differ, Diagnostics *diagnostics) {
  const Rule &first = instances[0];
  const Rule &other = instances[differ.instance];
  differ.PlaceAt(other.location, first.location);
  diagnostics
      ->Report(DiagId::kInstancesDiffer, differ.here, first.name, NameOfInstance(other),
               NameOfInstance(first), differ.what)
      .Note(DiagId::kInstanceHere, differ.there, NameOfInstance(first))
      .Note(DiagId::kInstancesDifferNote, differ.here);
}

}  // namespace

std::optional<Rule> MergeInstances(const std::vector<Rule> &instances, Diagnostics &diagnostics) {
  try {
    return Merger(instances).Run();
  } catch (const InstancesDiffer &differ) {
    const std::vector<Rule> pair = instances.size() > 2 ? FindPair(instances) : std::vector<Rule>();
    if (!pair.empty()) return MergeInstances(pair, diagnostics);
    Report(instances, differ, &diagnostics);
    return std::nullopt;
  }
}

}  // namespace mgen
