// SPDX-License-Identifier: Apache-2.0
#include "passes/traps.h"

#include "ir/walk.h"

namespace mgen {

bool MayTrap(const Node &node) {
  if (node.op != Op::kRem && (node.op != Op::kDiv || IsFloat(node.type.kind))) return false;
  const Node &divisor = *node.args[1];
  if (divisor.op != Op::kLiteral) return true;
  const auto *number = std::get_if<int64_t>(&divisor.value);
  if (number != nullptr) return *number == 0 || *number == -1;
  return divisor.value == LiteralValue(uint64_t{0});
}

bool AnyMayTrap(const Expr &expr) {
  bool any = false;
  ForEachNode(expr, [&any](const Expr &node) { any = any || MayTrap(*node); });
  return any;
}

}  // namespace mgen
