// SPDX-License-Identifier: Apache-2.0
#include "passes/expand_savers.h"

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

void ExpandIn(const Rule &rule, std::vector<Statement> *body) {
  for (Statement &statement : *body) {
    if (statement.kind == Statement::kAssign && statement.saver != Saver::kSave) {
      const IndexMap map =
          IsPerRow(rule, statement.target) ? IndexMap::kColumn : IndexMap::kIdentity;
      const Expr target = MakeRead(statement.target, rule.params[statement.target].type, map);
      statement.value =
          WithLocation(Combine(statement.saver, target, statement.value), statement.location);
      statement.saver = Saver::kSave;
    }
    ExpandIn(rule, &statement.then_body);
    ExpandIn(rule, &statement.else_body);
  }
}

}  // namespace

Rule ExpandSavers(Rule rule) {
  for (Stage &stage : rule.stages) ExpandIn(rule, &stage.body);
  return rule;
}

}  // namespace mgen
