// SPDX-License-Identifier: Apache-2.0
/// \file variants.h
/// The ways a rule can run: one for each assignment of truth values to its scalar conditions.
#ifndef MSHADOW_GENERATOR_PASSES_VARIANTS_H_
#define MSHADOW_GENERATOR_PASSES_VARIANTS_H_

#include <map>
#include <vector>

#include "ir/plan.h"

namespace mgen {

/// The most conditions of a kernel. Each doubles the variants that are compiled.
constexpr int kMaxConditions = 4;

/// The distinct scalar conditions of a rule. `if (!c)` and `if (c)` share a condition. All
/// conditions are computed before a launch. So if a condition might trap unless that of an `if`
/// around it holds, it includes the outer condition, as in `if (n != 0) if (m / n > 2)`.
struct RuleConditions {
  struct Use {
    int condition;
    bool negated;
  };
  std::vector<Expr> values;
  std::map<const Statement *, Use> uses;  ///< of every kIf of the rule that was analysed

  unsigned variant_count() const { return 1u << values.size(); }
  /// Whether the then branch of `statement` runs in `variant`, whose bit i is condition i.
  bool Takes(const Statement &statement, unsigned variant) const;
};
RuleConditions ConditionsOf(const Rule &rule);

/// The assignments that `variant` runs, in order: those of a rule, or of one of its stages.
std::vector<const Statement *> Linearize(const Rule &rule, const RuleConditions &conditions,
                                         unsigned variant);
std::vector<const Statement *> Linearize(const Stage &stage, const RuleConditions &conditions,
                                         unsigned variant);

/// A short disjunctive form of "the variant is one of `variants`".
Guard GuardOf(const std::vector<bool> &variants, int condition_count);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_VARIANTS_H_
