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

/// Calls `visit(Expr *)` for the expressions of the prologue, the views and the statements: values,
/// conditions and `fitting`. Reducers and the extents of temporaries are left out.
void ForEachExpr(Rule *rule, const std::function<void(Expr *)> &visit);

/// The rank of the elements that a statement computes or reduces. If the statement reads only
/// vectors, the rank is 2, or 3 if it has channels. That is enough for AxesOf, which knows the last
/// axis whatever the rank.
int RankOfElements(const Rule &kernel, const Statement &statement);

/// The axes that a reduction keeps; of a scan all but the last, along which it goes. Every axis if
/// the node is neither.
Axes KeptBy(const Node &node);
/// The axes of the rule's values: those that a reduction keeps, those of a vector for channels, or
/// those of a vector that the rule computes and then broadcasts. The rows, if the rule scans them
/// or picks one element of each. Every axis if there are no values.
Axes KeptBy(const Rule &rule);
/// The order in which a kernel reduces, one for all of its reductions. Nothing if it has none.
std::optional<Order> OrderOf(const Rule &kernel);
/// The dimension of a kernel's channels: the one dimension, not the last, of tensors of rank 3 or
/// more that a reduction keeps or a vector has. -1: there is none.
int ChannelDimOf(const Rule &kernel);
/// The tensors of a rule that hold its values: one for each row, column or channel, or a single
/// one.
std::set<int> ValuesOf(const Rule &rule);
/// The dimension, not the last, that a kernel reduces in tensors of rank 3 or more, if it keeps all
/// others. -1: there is none; a kernel that reduces rows, or columns of a matrix, has none either.
int ReducedAxisOf(const Rule &kernel);
/// Whether a read is in place: at the coordinates of the element that is computed.
inline bool IsInPlace(const Node &read) { return read.args.empty() && read.axes.is_every(); }
/// Whether a read is a gather: another read says which element it reads.
bool IsGather(const Node &read);
/// Whether it is an element of a matrix's row, which a vector of indices picks.
bool IsPicked(const Node &node);
/// Whether two reads take the same element of the same tensor.
bool IsSameRead(const Node &a, const Node &b);
/// The reads of an expression, including those in index expressions: distinct, operands first.
std::vector<Expr> ReadNodesOf(const Expr &expr);

/// The nodes of the operands of reductions.
std::set<const Node *> BelowReductions(const Expr &value);
/// The reductions in a value that are below no other.
std::vector<Expr> OutermostReductions(const Expr &value);

/// The axes that a read has, of an expression with rank \p rank. Param::kRankParam: any rank.
Axes AxesOf(const Node &read, int rank);

/// The tensor parameters that an expression with rank \p rank reads, and the axes of each read. The
/// indices of a gather are read as a column.
struct Reads {
  std::vector<std::pair<int, Axes>> operands;  ///< distinct, in order of first occurrence
  bool Has(int param) const;
};
Reads ReadsOf(const Expr &expr, int rank = Param::kRankParam);

/// A value in one variant: condition i (kCondition) is bit i of `variant`.
Expr ValueIn(const Expr &value, unsigned variant);

/// Whether a body ends a stage somewhere: a boundary, or a call of the runtime.
bool EndsStage(const std::vector<Statement> &body);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_WALK_H_
