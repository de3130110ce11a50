// SPDX-License-Identifier: Apache-2.0
#include "frontend/check_expression.h"

#include "ir/walk.h"

namespace mgen {
namespace {

void CheckNoShape(RuleScalars &scalars, const Expr &node, const SourceLocation &location) {
  if (node->op == Op::kDim) scalars.RejectBeyondFormula(location, "an operand's shape");
}

void CheckElement(RuleScalars &scalars, const Expr &node, const SourceLocation &location) {
  const bool moves = node->op == Op::kRead && node->map != IndexMap::kIdentity;
  const bool counts = node->op == Op::kIndex || node->op == Op::kAtColumn;
  if (moves || counts || FrameOf(node->op) != Frame::kElement) {
    scalars.RejectBeyondFormula(location, "it needs other elements");
  }
  CheckNoShape(scalars, node, location);
}

}  // namespace

void CheckExpression(RuleScalars &scalars) {
  const Rule &rule = scalars.rule();
  for (const Param &param : rule.params) {
    if (param.view) scalars.RejectBeyondFormula(param.location, "this view");
    if (param.is_temporary) scalars.RejectBeyondFormula(param.location, "a temporary");
  }
  for (const Statement &statement : rule.stages.front().body) {
    if (statement.kind != Statement::kAssign) {
      scalars.RejectBeyondFormula(statement.location, "this statement");
    }
    ForEachNode(statement.value,
                [&](const Expr &node) { CheckElement(scalars, node, statement.location); });
  }
  for (const Local &local : rule.prologue) {
    ForEachNode(local.value,
                [&](const Expr &node) { CheckNoShape(scalars, node, local.location); });
  }
}

}  // namespace mgen
