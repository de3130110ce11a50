// SPDX-License-Identifier: Apache-2.0
#include "emit/determinism.h"

#include "ir/walk.h"

namespace mgen {
namespace {

using Limit = std::optional<DeterminismLimit>;

/// The first call of libm in `value`. \param location that of the call, if the call has none
Limit CallIn(const Expr &value, const SourceLocation &location) {
  Limit limit;
  if (!value) return limit;
  ForEachNode(value, [&](const Expr &node) {
    if (limit || node->op != Op::kCall) return;
    const bool knows = node->location.line > 0;
    limit = {"the C library computes '" + node->name + "'",
             "call a function of mshadow::math instead, or an operator of mshadow::op",
             knows ? node->location : location};
  });
  return limit;
}

Limit LimitOf(const Statement &statement) {
  if (statement.kind == Statement::kProduct) {
    return DeterminismLimit{"BLAS computes the matrix products",
                            "compute the product before the rule and pass it", statement.location};
  }
  const Expr &value = statement.kind == Statement::kIf ? statement.condition : statement.value;
  return CallIn(value, statement.location);
}

Limit LimitOf(const Reducer &reducer) {
  for (const Expr *value : {&reducer.initial, &reducer.reduce, &reducer.merge}) {
    if (Limit limit = CallIn(*value, reducer.location)) return limit;
  }
  return {};
}

}  // namespace

Limit LimitOf(const Rule &rule, Numerics numerics) {
  if (MayContract(numerics)) {
    const std::string mode = NameOf(numerics);
    return DeterminismLimit{"with --numerics=" + mode + ", rounding depends on the instruction set",
                            "generate it with --numerics=strict", rule.location};
  }
  for (const Local &local : rule.prologue) {
    if (Limit limit = CallIn(local.value, local.location)) return limit;
  }
  for (const Reducer &reducer : rule.reducers) {
    if (Limit limit = LimitOf(reducer)) return limit;
  }
  Limit first;
  ForEachStatement(rule, [&first](const Statement &statement) {
    if (!first) first = LimitOf(statement);
  });
  return first;
}

}  // namespace mgen
