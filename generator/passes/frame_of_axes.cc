// SPDX-License-Identifier: Apache-2.0
#include "passes/frame_of_axes.h"

#include <set>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// The rank of what a kernel goes over: of its tensors of more than one dimension. Where there are
/// none, vectors are read along the axes of a matrix.
int RankOf(const Rule &kernel) {
  int rank = 2;
  ForEachStatement(kernel, [&](const Statement &statement) {
    if (!statement.writes()) return;
    std::vector<int> tensors = {statement.target};
    for (const Expr &read : ReadNodesOf(statement.value)) tensors.push_back(read->index);
    for (const int tensor : tensors) {
      const int other = kernel.params[tensor].rank;
      if (other == Param::kRankParam || other > 2) rank = other;
    }
  });
  return rank;
}

/// The vector of indices, which the last index reads and perhaps converts.
int IndicesOf(const Node &gather) {
  const Expr &index = gather.args.back();
  return index->op == Op::kCast ? index->args[0]->index : index->index;
}

Expr MapRead(const Node &read, int rank) {
  const IndexMap map = MapOf(read, rank);
  return map == IndexMap::kGather ? MakeGather(read.index, read.type, IndicesOf(read))
                                  : MakeRead(read.index, read.type, map);
}

void MapIndices(Rule *kernel) {
  const int rank = RankOf(*kernel);
  Rewriter rewrite([rank](const Expr &node, std::vector<Expr> args) {
    if (node->op != Op::kRead || node->args.empty()) return WithArgs(node, std::move(args));
    return WithLocation(MapRead(*node, rank), node->location);
  });
  ForEachExpr(kernel, [&rewrite](Expr *value) { *value = rewrite(*value); });
}

void MapValues(Rule *kernel) {
  const std::set<int> values = ValuesOf(*kernel);
  const IndexMap map = ValueMap(FrameOf(*kernel));
  Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
    const bool is_value =
        node->op == Op::kRead && IsInPlace(*node) && values.count(node->index) != 0;
    if (!is_value) return WithArgs(node, std::move(args));
    return WithLocation(MakeRead(node->index, node->type, map), node->location);
  });
  if (map == IndexMap::kOne) {
    for (int value : values) kernel->params[value].is_single = true;
  }
  ForEachExpr(kernel, [&rewrite](Expr *value) { *value = rewrite(*value); });
}

}  // namespace

Rule FrameOfAxes(Rule kernel) {
  MapIndices(&kernel);
  MapValues(&kernel);
  return kernel;
}

}  // namespace mgen
