// SPDX-License-Identifier: Apache-2.0
#include "frontend/counted_extents.h"

#include <set>
#include <string>

#include "ir/builder.h"
#include "ir/extents.h"
#include "ir/printer.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// Whether dimension `dim` of the temporary `tensor` of rank `rank` has this plain extent.
bool IsTemporaryAlong(const Rule &rule, int tensor, const Expr &extent, int rank, int dim) {
  const std::vector<Expr> &extents = rule.params[tensor].extents;
  return static_cast<int>(extents.size()) == rank &&
         Print(PlainExtent(rule, extents[dim]), rule) == Print(extent, rule);
}

/// The tensors that a statement writes, or reads element by element.
std::set<int> UsedBy(const Statement &statement) {
  std::set<int> used = {statement.target};
  ForEachNode(statement.value, [&](const Expr &node) {
    if (node->op == Op::kRead) used.insert(node->index);
  });
  return used;
}

}  // namespace

Expr PlainExtent(const Rule &rule, Expr extent) {
  while (extent->op == Op::kCast || extent->op == Op::kLocal) {
    extent = extent->op == Op::kCast ? extent->args[0] : rule.prologue[extent->index].value;
  }
  return extent;
}

int TensorAlong(const Rule &rule, const Expr &extent, int rank, int dim) {
  if (extent->op == Op::kDim && extent->dim == dim && rule.params[extent->index].rank == rank) {
    return extent->index;
  }
  for (size_t i = 0; i < rule.params.size(); ++i) {
    const int tensor = static_cast<int>(i);
    if (IsTemporaryAlong(rule, tensor, extent, rank, dim)) return tensor;
  }
  return -1;
}

void CountElementsOf(const Rule &rule, int vector, Statement *statement) {
  const std::string length = Print(PlainExtent(rule, rule.params[vector].extents[0]), rule);
  Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
    if (ClassOf(node->op) == OpClass::Reduce) return node;  // below it stand other elements
    const bool counts = node->op == Op::kIndex && node->index != vector && node->dim >= 0;
    if (!counts) return WithArgs(node, std::move(args));
    const Expr extent = PlainExtent(rule, ExtentOf(rule, node->index, node->dim));
    if (Print(extent, rule) != length) return node;
    for (CountedExtent &count : statement->counts) {
      if (count.tensor == node->index) count.tensor = vector;
    }
    return WithLocation(MakeIndex(node->type, vector, 0), node->location);
  });
  statement->value = rewrite(statement->value);
}

void CountAlongUsed(const Rule &rule, Statement *statement) {
  if (statement->counts.empty()) return;
  const std::set<int> used = UsedBy(*statement);
  Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
    if (node->op != Op::kIndex || used.count(node->index) != 0) {
      return WithArgs(node, std::move(args));
    }
    const Param &counted = rule.params[node->index];
    const Expr extent = counted.extents.empty() ? MakeDim(node->index, node->dim)
                                                : PlainExtent(rule, counted.extents[node->dim]);
    for (const int tensor : used) {
      if (tensor < 0 || !IsTemporaryAlong(rule, tensor, extent, counted.rank, node->dim)) continue;
      for (CountedExtent &count : statement->counts) {
        if (count.tensor == node->index) count.tensor = tensor;
      }
      return WithLocation(MakeIndex(node->type, tensor, node->dim), node->location);
    }
    return node;
  });
  statement->value = rewrite(statement->value);
}

}  // namespace mgen
