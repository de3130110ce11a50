// SPDX-License-Identifier: Apache-2.0
#include "passes/simplify_casts.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ir/builder.h"
#include "ir/walk.h"
#include "passes/constants.h"

namespace mgen {
namespace {

/// Whether every instance of `type` is a float kind.
bool IsFloatEverywhere(const Rule &rule, Type type) {
  if (!type.symbolic()) return IsFloat(type.kind);
  return std::all_of(rule.instances.begin(), rule.instances.end(),
                     [type](const auto &instance) { return IsFloat(KindIn(type, instance)); });
}

/// `literal` converted to `type`, or null if the conversion is not the same in every instance.
Expr FoldCast(const Rule &rule, Type type, const Expr &literal) {
  // A symbolic literal will be rounded to each instance's type.
  if (literal->type.symbolic() || literal->type == kBoolType) return nullptr;
  if (IsFloatEverywhere(rule, type)) {
    return IsExactInDouble(literal->value) ? MakeLiteral(type, literal->value) : nullptr;
  }
  if (type.symbolic() || type == kBoolType) return nullptr;
  try {
    return MakeLiteral(type, literal->value);  // the same integer
  } catch (const std::invalid_argument &) {
    return nullptr;  // it saturates, wraps or loses a fraction, so the cast stays
  }
}

Expr Simplify(const Rule &rule, const Expr &node, std::vector<Expr> args) {
  if (node->op != Op::kCast) return WithArgs(node, std::move(args));
  if (args[0]->type == node->type) return args[0];
  if (args[0]->op == Op::kLiteral) {
    if (Expr folded = FoldCast(rule, node->type, args[0])) {
      return WithLocation(folded, node->location);
    }
  }
  return WithArgs(node, std::move(args));
}

}  // namespace

Rule SimplifyCasts(Rule rule) {
  const Rule &signature = rule;
  Rewriter simplify([&signature](const Expr &node, std::vector<Expr> args) {
    return Simplify(signature, node, std::move(args));
  });
  ForEachExpr(&rule, [&simplify](Expr *expr) { *expr = simplify(*expr); });
  return rule;
}

}  // namespace mgen
