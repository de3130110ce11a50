// SPDX-License-Identifier: Apache-2.0
#include "passes/unset.h"

#include "ir/effects.h"
#include "passes/variants.h"

namespace mgen {
namespace {

/// A temporary that a statement reads and no statement has written; -1 if there is none.
int UnsetOf(const Rule &rule, const Statement &statement, const std::set<int> &temporaries,
            const std::set<int> &written) {
  for (const int read : EffectsOf(statement).read) {
    for (const int tensor : WithSources(rule, read)) {
      if (temporaries.count(tensor) != 0 && written.count(tensor) == 0) return tensor;
    }
  }
  return -1;
}

}  // namespace

void CheckUnset(const Rule &rule, const std::set<int> &temporaries, Diagnostics &diagnostics) {
  const RuleConditions conditions = ConditionsOf(rule);
  if (temporaries.empty() || conditions.values.size() > size_t{2 * kMaxConditions}) return;
  std::set<const Statement *> reported;
  for (unsigned variant = 0; variant < conditions.variant_count(); ++variant) {
    std::set<int> written;
    for (const Statement *statement : Linearize(rule, conditions, variant)) {
      const int unset = UnsetOf(rule, *statement, temporaries, written);
      if (unset >= 0 && reported.insert(statement).second) {
        const Param &param = rule.params[unset];
        diagnostics.Report(DiagId::kUninitialized, statement->location, param.name)
            .Note(DiagId::kDeclaredHere, param.location, param.name);
      }
      for (const int target : statement->targets()) {
        written.insert({target, OwnerOf(rule, target)});
      }
    }
  }
}

}  // namespace mgen
