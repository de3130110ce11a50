// SPDX-License-Identifier: Apache-2.0
#include "passes/map_values.h"

#include <set>
#include <utility>

#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {

Rule MapValues(Rule rule) {
  const std::set<int> values = ValuesOf(rule);
  if (values.empty()) return rule;
  const IndexMap map = ValueMap(FrameOf(rule));
  Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
    const bool is_value =
        node->op == Op::kRead && node->map == IndexMap::kIdentity && values.count(node->index) != 0;
    if (!is_value) return WithArgs(node, std::move(args));
    return WithLocation(MakeRead(node->index, node->type, map), node->location);
  });
  if (map == IndexMap::kOne) {
    for (int value : values) rule.params[value].is_single = true;
  }
  ForEachExpr(&rule, [&rewrite](Expr *value) { *value = rewrite(*value); });
  return rule;
}

}  // namespace mgen
