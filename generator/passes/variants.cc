// SPDX-License-Identifier: Apache-2.0
#include "passes/variants.h"

#include <algorithm>
#include <utility>

#include "ir/builder.h"
#include "passes/traps.h"
#include "passes/value_numbers.h"

namespace mgen {
namespace {

void LinearizeBody(const std::vector<Statement> &body, const RuleConditions &conditions,
                   unsigned variant, std::vector<const Statement *> *to) {
  for (const Statement &statement : body) {
    if (statement.kind != Statement::kIf) {
      to->push_back(&statement);
    } else {
      LinearizeBody(
          conditions.Takes(statement, variant) ? statement.then_body : statement.else_body,
          conditions, variant, to);
    }
  }
}

/// A conjunction: the conditions of `mask` have the values of `bits`.
struct Cube {
  unsigned mask;
  unsigned bits;
  bool Covers(unsigned variant) const { return (variant & mask) == bits; }
};

int CountBits(unsigned bits) {
  int count = 0;
  for (; bits != 0; bits &= bits - 1) ++count;
  return count;
}

/// Every conjunction over `n` conditions, those with fewer literals first.
std::vector<Cube> CubesOf(int n) {
  std::vector<Cube> cubes;
  for (unsigned mask = 0; mask < (1u << n); ++mask) {
    for (unsigned bits = 0; bits < (1u << n); ++bits) {
      if ((bits & ~mask) == 0) cubes.push_back({mask, bits});
    }
  }
  std::stable_sort(cubes.begin(), cubes.end(), [](const Cube &a, const Cube &b) {
    return CountBits(a.mask) < CountBits(b.mask);
  });
  return cubes;
}

std::vector<Guard::Literal> LiteralsOf(const Cube &cube, int n) {
  std::vector<Guard::Literal> literals;
  for (int i = 0; i < n; ++i) {
    if ((cube.mask >> i & 1) != 0) literals.push_back({i, (cube.bits >> i & 1) == 0});
  }
  return literals;
}

/// Gives every `if` its condition.
class Collector {
 public:
  /// \param path the condition under which `body` runs; null: always
  void Visit(const std::vector<Statement> &body, const Expr &path) {
    for (const Statement &statement : body) {
      if (statement.kind != Statement::kIf) continue;
      // All conditions are computed before the launch, so one that may trap includes a guard.
      const bool is_guarded = path != nullptr && AnyMayTrap(statement.condition);
      const Expr value = is_guarded ? And(path, statement.condition) : statement.condition;
      values_.push_back({&statement, value});
      Visit(statement.then_body, And(path, statement.condition));
      Visit(statement.else_body, And(path, MakeOp(Op::kNot, {statement.condition})));
    }
  }

  /// Lets a negated condition use the number of the positive one, if that is a condition, too.
  RuleConditions Finish() {
    for (const auto &[statement, value] : values_) {
      if (value->op != Op::kNot) result_.uses[statement] = {Add(value), false};
    }
    for (const auto &[statement, value] : values_) {
      if (value->op != Op::kNot) continue;
      const auto positive = index_of_.find(numbers_.Of(value->args[0]));
      const bool found = positive != index_of_.end();
      result_.uses[statement] = {found ? positive->second : Add(value), found};
    }
    return std::move(result_);
  }

 private:
  static Expr And(const Expr &path, const Expr &condition) {
    return path == nullptr ? condition : MakeOp(Op::kAnd, {path, condition});
  }

  int Add(const Expr &value) {
    const auto [place, is_new] =
        index_of_.emplace(numbers_.Of(value), static_cast<int>(result_.values.size()));
    if (is_new) result_.values.push_back(value);
    return place->second;
  }

  ValueNumbers numbers_;
  std::vector<std::pair<const Statement *, Expr>> values_;
  std::map<int, int> index_of_;  // by value number
  RuleConditions result_;
};

}  // namespace

bool RuleConditions::Takes(const Statement &statement, unsigned variant) const {
  const Use use = uses.at(&statement);
  return ((variant >> use.condition & 1) != 0) != use.negated;
}

RuleConditions ConditionsOf(const Rule &rule) {
  Collector collector;
  for (const Stage &stage : rule.stages) collector.Visit(stage.body, nullptr);
  return collector.Finish();
}

std::vector<const Statement *> Linearize(const Rule &rule, const RuleConditions &conditions,
                                         unsigned variant) {
  std::vector<const Statement *> statements;
  for (const Stage &stage : rule.stages) {
    LinearizeBody(stage.body, conditions, variant, &statements);
  }
  return statements;
}

std::vector<const Statement *> Linearize(const Stage &stage, const RuleConditions &conditions,
                                         unsigned variant) {
  std::vector<const Statement *> statements;
  LinearizeBody(stage.body, conditions, variant, &statements);
  return statements;
}

Guard GuardOf(const std::vector<bool> &variants, int condition_count) {
  Guard guard;
  std::vector<bool> covered(variants.size(), false);
  // Shorter conjunctions come first, so each that helps is a prime implicant.
  for (const Cube &cube : CubesOf(condition_count)) {
    bool implies = true;
    bool helps = false;
    for (unsigned v = 0; v < variants.size(); ++v) {
      if (!cube.Covers(v)) continue;
      implies = implies && variants[v];
      helps = helps || !covered[v];
    }
    if (!implies || !helps) continue;
    guard.terms.push_back(LiteralsOf(cube, condition_count));
    for (unsigned v = 0; v < variants.size(); ++v) {
      if (cube.Covers(v)) covered[v] = true;
    }
  }
  return guard;
}

}  // namespace mgen
