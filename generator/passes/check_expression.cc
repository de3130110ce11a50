// SPDX-License-Identifier: Apache-2.0
#include "passes/check_expression.h"

#include <optional>
#include <string>

#include "ir/walk.h"

namespace mgen {
namespace {

/// What an expression cannot have, and where it is.
struct Excess {
  SourceLocation location;
  std::string what;
};

/// What a value needs of an operand besides its element; "" if nothing.
std::string ExcessIn(const Expr &value) {
  std::string what;
  ForEachNode(value, [&what](const Expr &node) {
    if (!what.empty()) return;
    const bool moves = node->op == Op::kRead && !IsInPlace(*node);
    const bool counts = node->op == Op::kIndex || node->op == Op::kAtColumn;
    if (moves || counts || !KeptBy(*node).is_every()) what = "other elements";
    if (node->op == Op::kDim) what = "the shape of an operand";
  });
  return what;
}

std::optional<Excess> ExcessOf(const Rule &rule) {
  for (const Param &param : rule.params) {
    if (param.view) return Excess{param.location, "a view"};
    if (param.is_temporary) return Excess{param.location, "a temporary"};
  }
  for (const Statement &statement : rule.stages.front().body) {
    if (statement.kind != Statement::kAssign) return Excess{statement.location, "this statement"};
    const std::string what = ExcessIn(statement.value);
    if (!what.empty()) return Excess{statement.location, what};
  }
  for (const Local &local : rule.prologue) {
    const std::string what = ExcessIn(local.value);
    if (!what.empty()) return Excess{local.location, what};
  }
  return std::nullopt;
}

}  // namespace

bool CheckExpression(const Rule &rule, Diagnostics &diagnostics) {
  const std::optional<Excess> excess = rule.is_expression ? ExcessOf(rule) : std::nullopt;
  if (!excess) return true;
  diagnostics.Report(DiagId::kExpressionOnly, excess->location, rule.name, excess->what)
      .Note(DiagId::kExpressionOnlyNote, excess->location);
  return false;
}

}  // namespace mgen
