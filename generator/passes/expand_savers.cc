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

/// C++ computes with bools as with ints.
Expr Combine(const Rule &rule, Saver saver, const Expr &target, const Expr &value) {
  const Type type = target->type;
  if (!IsBoolSomewhere(rule, type)) return MakeOp(OpOf(saver), {target, value});
  const Type wide{Promoted(type.kind), type.param, type.symbolic()};
  return MakeCast(type, MakeOp(OpOf(saver), {MakeCast(wide, target), MakeCast(wide, value)}));
}

void ExpandIn(const Rule &rule, const std::set<int> &values, std::vector<Statement> *body) {
  for (Statement &statement : *body) {
    if (statement.kind == Statement::kAssign && statement.saver != Saver::kSave) {
      const Axes axes = values.count(statement.target) != 0 ? KeptBy(rule) : Axes::Every();
      const Expr target = MakeRead(statement.target, rule.params[statement.target].type, axes);
      statement.value =
          WithLocation(Combine(rule, statement.saver, target, statement.value), statement.location);
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
