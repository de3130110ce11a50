// SPDX-License-Identifier: Apache-2.0
#include "emit/shared_parts.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// Numbers for each node of an expression.
struct Counts {
  std::unordered_map<const Node *, int> uses;  ///< as an operand
  std::unordered_map<const Node *, int> sizes;
};

Counts CountsOf(const Expr &value, int limit) {
  Counts counts;
  ForEachNode(value, [&](const Expr &node) {
    int size = 1;
    for (const Expr &arg : node->args) {
      ++counts.uses[arg.get()];
      size = std::min(limit, size + counts.sizes.at(arg.get()));
    }
    counts.sizes[node.get()] = size;
  });
  return counts;
}

}  // namespace

int TreeSize(const Expr &value, int limit) { return CountsOf(value, limit).sizes.at(value.get()); }

bool IsLong(const Expr &formula) {
  constexpr int kOperations = 200;
  return TreeSize(formula, kOperations) == kOperations;
}

SharedParts ShareParts(const Expr &value, int least) {
  Counts counts = CountsOf(value, least);
  SharedParts shared;
  Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
    Expr same = WithArgs(node, std::move(args));
    if (counts.uses[node.get()] < 2 || counts.sizes.at(node.get()) < least) return same;
    shared.parts.push_back(std::move(same));
    return MakeLet(static_cast<int>(shared.parts.size()), node->type);
  });
  shared.value = rewrite(value);
  return shared;
}

}  // namespace mgen
