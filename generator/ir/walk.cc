// SPDX-License-Identifier: Apache-2.0
#include "ir/walk.h"

#include <algorithm>
#include <memory>

namespace mgen {

Expr WithArgs(const Expr &node, std::vector<Expr> args) {
  if (args == node->args) return node;
  auto copy = std::make_shared<Node>(*node);
  copy->args = std::move(args);
  return copy;
}

Expr Rewriter::operator()(const Expr &root) {
  kept_.push_back(root);
  order_.Walk(root, [this](const Expr &node) {
    std::vector<Expr> args;
    args.reserve(node->args.size());
    for (const Expr &arg : node->args) args.push_back(done_.at(arg.get()));
    done_[node.get()] = rewrite_(node, std::move(args));
  });
  return done_.at(root.get());
}

namespace {

void ForEachExprOf(std::vector<Statement> *body, const std::function<void(Expr *)> &visit) {
  for (Statement &statement : *body) {
    visit(statement.kind == Statement::kIf ? &statement.condition : &statement.value);
    ForEachExprOf(&statement.then_body, visit);
    ForEachExprOf(&statement.else_body, visit);
  }
}

}  // namespace

void ForEachExpr(Rule *rule, const std::function<void(Expr *)> &visit) {
  for (Local &local : rule->prologue) visit(&local.value);
  for (Stage &stage : rule->stages) ForEachExprOf(&stage.body, visit);
}

bool IsRowWise(const Rule &rule) {
  bool is_row_wise = false;
  ForEachStatement(rule, [&is_row_wise](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    ForEachNode(statement.value, [&is_row_wise](const Expr &node) {
      const bool gathers = node->op == Op::kRead && node->map == IndexMap::kGather;
      is_row_wise = is_row_wise || gathers || ClassOf(node->op) == OpClass::Reduce;
    });
  });
  return is_row_wise;
}

bool IsPerRow(const Rule &rule, int param) {
  return rule.params[param].rank == 1 && IsRowWise(rule);
}

bool Reads::Has(int param) const {
  return std::any_of(operands.begin(), operands.end(),
                     [param](const auto &operand) { return operand.first == param; });
}

Reads ReadsOf(const Expr &expr) {
  Reads reads;
  ForEachNode(expr, [&reads](const Expr &node) {
    if (node->op != Op::kRead) return;
    auto &known = reads.operands;
    const auto add = [&known](const std::pair<int, IndexMap> &operand) {
      if (std::find(known.begin(), known.end(), operand) == known.end()) known.push_back(operand);
    };
    add({node->index, node->map});
    if (node->map == IndexMap::kGather) add({node->by, IndexMap::kColumn});
  });
  return reads;
}

}  // namespace mgen
