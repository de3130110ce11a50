// SPDX-License-Identifier: Apache-2.0
#include "passes/expand_savers.h"

#include <set>

#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {
namespace {

Op OpOf(Saver saver) {
  switch (saver) {
    case Saver::kMinus:
      return Op::kSub;
    case Saver::kMul:
      return Op::kMul;
    case Saver::kDiv:
      return Op::kDiv;
    default:
      return Op::kAdd;
  }
}

Expr Combine(Saver saver, const Expr &target, const Expr &value) {
  if (target->type == kBoolType) {
    return MakeCast(kBoolType,
                    MakeOp(OpOf(saver), {MakeCast(kIntType, target), MakeCast(kIntType, value)}));
  }
  return MakeOp(OpOf(saver), {target, value});
}

void ExpandIn(const Rule &rule, const std::set<int> &values, std::vector<Statement> *body) {
  for (Statement &statement : *body) {
    if (statement.kind == Statement::kAssign && statement.saver != Saver::kSave) {
      const IndexMap map =
          values.count(statement.target) != 0 ? ValueMap(FrameOf(rule)) : IndexMap::kIdentity;
      const Expr target = MakeRead(statement.target, rule.params[statement.target].type, map);
      statement.value =
          WithLocation(Combine(statement.saver, target, statement.value), statement.location);
      statement.saver = Saver::kSave;
    }
    ExpandIn(rule, values, &statement.then_body);
    ExpandIn(rule, values, &statement.else_body);
  }
}

}  // namespace

Rule ExpandSavers(Rule rule) {
  const std::set<int> values = ValuesOf(rule);
  for (Stage &stage : rule.stages) ExpandIn(rule, values, &stage.body);
  return rule;
}

}  // namespace mgen
