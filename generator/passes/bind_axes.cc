// SPDX-License-Identifier: Apache-2.0
#include "passes/bind_axes.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// The vector of indices, which the last index reads and perhaps converts.
int IndicesOf(const Node &gather) {
  const Expr &index = gather.args.back();
  return index->op == Op::kCast ? index->args[0]->index : index->index;
}

Expr MapRead(const Node &read, int rank) {
  const Axes axes = AxesOf(read, rank);
  const Op index = read.args.back()->op;
  const bool is_known = axes.is_picked() || index == Op::kAxis || index == Op::kLiteral;
  if (!is_known) throw std::logic_error("an index expression that is more than axes");
  return axes.is_picked() ? MakeGather(read.index, read.type, IndicesOf(read))
                          : MakeRead(read.index, read.type, axes);
}

void MapIndices(const Rule &kernel, std::vector<Statement> *body) {
  for (Statement &statement : *body) {
    MapIndices(kernel, &statement.then_body);
    MapIndices(kernel, &statement.else_body);
    if (!statement.writes()) continue;
    const int rank = RankOfElements(kernel, statement);
    Rewriter rewrite([rank](const Expr &node, std::vector<Expr> args) {
      if (node->op != Op::kRead || node->args.empty()) return WithArgs(node, std::move(args));
      return WithLocation(MapRead(*node, rank), node->location);
    });
    statement.value = rewrite(statement.value);
    for (Expr &fitting : statement.fitting) fitting = rewrite(fitting);
  }
}

void MapValues(Rule *kernel) {
  const std::set<int> values = ValuesOf(*kernel);
  const Axes axes = KeptBy(*kernel);
  Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
    const bool is_value =
        node->op == Op::kRead && IsInPlace(*node) && values.count(node->index) != 0;
    if (!is_value) return WithArgs(node, std::move(args));
    return WithLocation(MakeRead(node->index, node->type, axes), node->location);
  });
  if (axes.is_none()) {
    for (int value : values) kernel->params[value].is_single = true;
  }
  ForEachExpr(kernel, [&rewrite](Expr *value) { *value = rewrite(*value); });
}

}  // namespace

Rule BindAxes(Rule kernel) {
  MapIndices(kernel, &kernel.stages.front().body);
  MapValues(&kernel);
  return kernel;
}

}  // namespace mgen
