// SPDX-License-Identifier: Apache-2.0
#include "passes/distribute.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// The most nested selects of a choice: a bound for Multiplied, which recurses.
constexpr int kMaxDepth = 4;

/// What this pass asks about a node.
struct Kind {
  bool is_scalar = false;  ///< the same for every element
  int depth = 0;           ///< of a choice by element between literals: its selects; else 0
  bool is_choice() const { return depth > 0 && depth <= kMaxDepth; }
};

using Kinds = std::unordered_map<const Node *, Kind>;

Kinds KindsIn(const Expr &value) {
  Kinds kinds;
  const auto is_outcome = [&kinds](const Expr &node) {
    return node->op == Op::kLiteral || kinds.at(node.get()).is_choice();
  };
  ForEachNode(value, [&](const Expr &node) {
    Kind kind;
    const bool is_element = node->op == Op::kRead || node->op == Op::kIndex;
    kind.is_scalar = !is_element && KeptBy(*node).is_every();
    for (const Expr &arg : node->args) {
      kind.is_scalar = kind.is_scalar && kinds.at(arg.get()).is_scalar;
    }
    if (node->op == Op::kSelect && !kind.is_scalar) {
      const Expr &first = node->args[1], &second = node->args[2];
      if (is_outcome(first) && is_outcome(second)) {
        kind.depth = 1 + std::max(kinds.at(first.get()).depth, kinds.at(second.get()).depth);
      }
    }
    kinds[node.get()] = kind;
  });
  return kinds;
}

bool IsLiteral(const Expr &literal, int number) {
  return std::visit([number](auto v) { return static_cast<double>(v) == number; }, literal->value);
}

/// `choice`, a literal or selects between literals, with each literal multiplied by `scalar`.
Expr Multiplied(const Expr &scalar, const Expr &choice) {
  if (choice->op == Op::kSelect) {
    return MakeSelect(choice->args[0], Multiplied(scalar, choice->args[1]),
                      Multiplied(scalar, choice->args[2]));
  }
  if (IsLiteral(choice, 1)) return scalar;
  if (IsLiteral(choice, -1)) return MakeOp(Op::kNeg, {scalar});
  return MakeOp(Op::kMul, {scalar, choice});
}

Expr DistributeIn(const Expr &value) {
  const Kinds kinds = KindsIn(value);
  Rewriter rewrite([&kinds](const Expr &node, std::vector<Expr> args) {
    if (node->op == Op::kMul) {
      for (size_t i : {0, 1}) {
        const Kind &factor = kinds.at(node->args[i].get());
        const Kind &other = kinds.at(node->args[1 - i].get());
        if (!factor.is_scalar || !other.is_choice()) continue;
        return WithLocation(WithName(Multiplied(args[i], args[1 - i]), node->name), node->location);
      }
    }
    return WithArgs(node, std::move(args));
  });
  return rewrite(value);
}

}  // namespace

Rule Distribute(Rule rule) {
  ForEachExpr(&rule, [](Expr *expr) { *expr = DistributeIn(*expr); });
  return rule;
}

}  // namespace mgen
