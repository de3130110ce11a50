// SPDX-License-Identifier: Apache-2.0
/// \file walk.h
/// Walks over expressions and statements. Expressions are DAGs and may be 10^5 nodes deep, so every
/// walk visits a node once and keeps its own stack: no code here or in the passes recurses over
/// operands.
#ifndef MSHADOW_GENERATOR_IR_WALK_H_
#define MSHADOW_GENERATOR_IR_WALK_H_

#include <functional>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/axes.h"
#include "ir/rule.h"

namespace mgen {

/// Visits the nodes of one or more DAGs, each once, operands before their users, left to right.
class PostOrder {
 public:
  /// Visits what is reachable from `root` and was not visited by this object before.
  template <typename Visit>
  void Walk(const Expr &root, Visit &&visit) {
    std::vector<std::pair<Expr, size_t>> stack;  // node, operands already entered
    Enter(root, &stack);
    while (!stack.empty()) {
      if (stack.back().second < stack.back().first->args.size()) {
        const Expr operand = stack.back().first->args[stack.back().second++];
        Enter(operand, &stack);
      } else {
        const Expr node = std::move(stack.back().first);
        stack.pop_back();
        visit(node);
      }
    }
  }

 private:
  void Enter(const Expr &node, std::vector<std::pair<Expr, size_t>> *stack) {
    if (seen_.insert(node.get()).second) stack->push_back({node, 0});
  }
  std::unordered_set<const Node *> seen_;
};

/// Calls `visit(const Expr &)` for every node of `root`, once each, operands first.
template <typename Visit>
void ForEachNode(const Expr &root, Visit &&visit) {
  PostOrder().Walk(root, std::forward<Visit>(visit));
}

/// `node` with other operands; `node` itself if they are the same objects. Types are kept as they
/// are.
Expr WithArgs(const Expr &node, std::vector<Expr> args);

/// Rebuilds DAGs from their leaves up. Sharing is kept: a node is rewritten once per Rewriter.
class Rewriter {
 public:
  /// Given a node of the old DAG and its rewritten operands: the new node.
  using Rewrite = std::function<Expr(const Expr &node, std::vector<Expr> args)>;
  explicit Rewriter(Rewrite rewrite) : rewrite_(std::move(rewrite)) {}

  Expr operator()(const Expr &root);

 private:
  Rewrite rewrite_;
  PostOrder order_;
  std::unordered_map<const Node *, Expr> done_;
  std::vector<Expr> kept_;  // keeps the keys of done_ alive
};

/// Calls `visit(const Statement &)` for every statement, an `if` before its branches, in order.
template <typename Visit>
void ForEachStatement(const std::vector<Statement> &body, Visit &&visit) {
  for (const Statement &statement : body) {
    visit(statement);
    ForEachStatement(statement.then_body, visit);
    ForEachStatement(statement.else_body, visit);
  }
}

template <typename Visit>
void ForEachStatement(const Rule &rule, Visit &&visit) {
  for (const Stage &stage : rule.stages) ForEachStatement(stage.body, visit);
}

/// Calls `visit(Expr &)` for every expression that a rule holds: prologue, views, conditions,
/// values.
void ForEachExpr(Rule *rule, const std::function<void(Expr *)> &visit);

/// The rank of the elements that a statement computes or reduces. Vectors alone
/// are read along the axes of a matrix, or of a tensor of rank 3 where a statement has channels:
/// AxesOf asks for no more, since it knows the last axis.
int RankOfElements(const Rule &kernel, const Statement &statement);

/// The axes that a reduction keeps; every one if the node is none.
Axes KeptBy(const Node &node);
/// The axes that the rule's values have: those that it reduces to, broadcasts along, or picks an
/// element for.
Axes KeptBy(const Rule &rule);
/// The order in which a kernel reduces, one for all of its reductions; nothing if it has none.
std::optional<Order> OrderOf(const Rule &kernel);
/// The dimension whose indices a kernel's channels are: it keeps or broadcasts along that one of
/// tensors of more than two; -1: along none.
int ChannelDimOf(const Rule &kernel);
/// The tensors of such a rule which have one value for what it reduces: for each row, column or
/// channel, or only one. Other rules have none.
std::set<int> ValuesOf(const Rule &rule);
/// The dimension that such a kernel reduces which keeps all others; -1: none. Where it is the last
/// one, or the first of a matrix, rows or columns are reduced.
int ReducedAxisOf(const Rule &kernel);
/// Whether a read takes the element in place.
inline bool IsInPlace(const Node &read) { return read.args.empty() && read.axes.is_every(); }
/// Whether a read takes an element that another read names.
bool IsGather(const Node &read);
/// Whether two reads take the same element of the same tensor.
bool IsSameRead(const Node &a, const Node &b);
/// The reads of an expression, those of its index expressions included: distinct, operands first.
std::vector<Expr> ReadNodesOf(const Expr &expr);

/// The nodes below reductions.
std::set<const Node *> BelowReductions(const Expr &value);

/// The axes of its expression, of that rank, that a read has; Param::kRankParam: of any.
Axes AxesOf(const Node &read, int rank);

/// The tensor parameters that an expression of that rank reads, and through which maps; the indices
/// of a gather are read as a column.
struct Reads {
  std::vector<std::pair<int, Axes>> operands;  ///< distinct, in order of first occurrence
  bool Has(int param) const;
};
Reads ReadsOf(const Expr &expr, int rank = Param::kRankParam);

/// What a value is where condition i (kCondition) holds if bit i of `variant` says so.
Expr ValueIn(const Expr &value, unsigned variant);

/// Whether a body ends a stage somewhere: a boundary, or a product.
bool EndsStage(const std::vector<Statement> &body);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_WALK_H_
