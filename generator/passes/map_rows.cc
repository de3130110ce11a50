// SPDX-License-Identifier: Apache-2.0
#include "passes/map_rows.h"

#include <utility>

#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {

Rule MapRows(Rule rule) {
  if (!IsRowWise(rule)) return rule;
  Rewriter rewrite([&rule](const Expr &node, std::vector<Expr> args) {
    const bool is_vector = node->op == Op::kRead && node->map == IndexMap::kIdentity &&
                           rule.params[node->index].rank == 1;
    if (!is_vector) return WithArgs(node, std::move(args));
    return WithLocation(MakeRead(node->index, node->type, IndexMap::kColumn), node->location);
  });
  ForEachExpr(&rule, [&rewrite](Expr *value) { *value = rewrite(*value); });
  return rule;
}

}  // namespace mgen
