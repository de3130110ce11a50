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
    if (statement.kind == Statement::kBoundary) continue;
    visit(statement.kind == Statement::kIf ? &statement.condition : &statement.value);
    for (Expr &fitting : statement.fitting) visit(&fitting);
    ForEachExprOf(&statement.then_body, visit);
    ForEachExprOf(&statement.else_body, visit);
  }
}

}  // namespace

void ForEachExpr(Rule *rule, const std::function<void(Expr *)> &visit) {
  for (Local &local : rule->prologue) visit(&local.value);
  for (Param &param : rule->params) {
    if (!param.view) continue;
    for (View::Operand &operand : param.view->operands) {
      if (operand.has_value()) visit(&operand.value);
    }
  }
  for (Stage &stage : rule->stages) ForEachExprOf(&stage.body, visit);
}

int RankOfElements(const Rule &kernel, const Statement &statement) {
  int rank = 2;
  const auto see = [&](int tensor) {
    const int other = kernel.params[tensor].rank;
    if (other == Param::kRankParam || other > 2) rank = other;
  };
  ForEachNode(statement.value, [&](const Expr &node) {
    // Of a matrix the axes are 0 and the last one.
    const bool has_axis = node->op == Op::kAxis || ClassOf(node->op) == OpClass::Reduce;
    const bool is_of_more = has_axis && (node->dim > 0 || node->dim <= Node::kRows);
    if (is_of_more || KeptBy(*node).only() >= 0) rank = std::max(rank, 3);
    if (node->op == Op::kRead && IsInPlace(*node)) see(node->index);
  });
  for (const Expr &fitting : statement.fitting) {
    if (fitting->op == Op::kRead && IsInPlace(*fitting)) see(fitting->index);
  }
  see(statement.target);
  return rank;
}

namespace {

/// Of a rule that reduces and scans nothing: vectors that it computes and then broadcasts to a
/// tensor of another rank are values, of each row or of each column.
Axes KeptByVectors(const Rule &rule) {
  Axes kept;
  std::set<int> written;
  ForEachStatement(rule, [&](const Statement &statement) {
    if (!statement.writes()) return;
    const bool is_vector = rule.params[statement.target].rank == 1;
    for (const auto &[param, axes] :
         ReadsOf(statement.value, RankOfElements(rule, statement)).operands) {
      if (is_vector || written.count(param) == 0) continue;
      if (axes == Axes::Last()) kept = Axes::Last();
      if (axes.is_rows()) kept = Axes::Rows();
    }
    if (is_vector) written.insert(statement.target);
  });
  return kept;
}

}  // namespace

Axes KeptBy(const Node &node) {
  if (ClassOf(node.op) == OpClass::Scan) return Axes::Rows();
  if (ClassOf(node.op) != OpClass::Reduce) return Axes::Every();
  if (node.dim == -1) return Axes::None();
  if (IsOfRow(node.order)) return Axes::Rows();
  if (node.dim == Node::kLastDim) return Axes::Last();
  return node.dim <= Node::kRest ? Axes::Without(Node::kRest - node.dim) : Axes::Only(node.dim);
}

Axes KeptBy(const Rule &rule) {
  Axes kept;
  ForEachStatement(rule, [&](const Statement &statement) {
    if (!statement.writes()) return;
    const int rank = RankOfElements(rule, statement);
    ForEachNode(statement.value, [&](const Expr &node) {
      const Axes axes = node->op == Op::kRead ? AxesOf(*node, rank) : Axes::Every();
      if (const Axes own = KeptBy(*node); !own.is_every()) kept = own;
      if (axes.is_picked()) kept = Axes::Rows();
      if (axes.only() >= 0 || axes.without() >= 0) kept = axes;
    });
  });
  return kept.is_every() ? KeptByVectors(rule) : kept;
}

namespace {

/// Calls `visit(const Axes &)` for all axes that reductions keep, and reads and what must fit have.
template <typename Visit>
void ForEachAxes(const Rule &kernel, const Visit &visit) {
  ForEachStatement(kernel, [&](const Statement &statement) {
    if (!statement.writes()) return;
    const int rank = RankOfElements(kernel, statement);
    const auto see = [&](const Expr &node) {
      visit(node->op == Op::kRead ? AxesOf(*node, rank) : KeptBy(*node));
    };
    ForEachNode(statement.value, see);
    for (const Expr &fitting : statement.fitting) ForEachNode(fitting, see);
  });
}

}  // namespace

std::optional<Order> OrderOf(const Rule &kernel) {
  std::optional<Order> order;
  ForEachStatement(kernel, [&order](const Statement &statement) {
    if (!statement.writes()) return;
    ForEachNode(statement.value, [&order](const Expr &node) {
      if (ClassOf(node->op) == OpClass::Reduce) order = node->order;
    });
  });
  return order;
}

int ChannelDimOf(const Rule &kernel) {
  int dim = -1;
  ForEachAxes(kernel, [&dim](const Axes &axes) { dim = axes.only() >= 0 ? axes.only() : dim; });
  return dim;
}

int ReducedAxisOf(const Rule &kernel) {
  int dim = -1;
  ForEachAxes(kernel, [&](const Axes &axes) { dim = axes.without() >= 0 ? axes.without() : dim; });
  return dim;
}

namespace {

/// The vectors of one element: what everything is reduced to or what is read as one, and what
/// statements compute from these. Finds those that `known` makes known; whether there were any.
bool FindMoreSingles(const Rule &rule, std::set<int> *known) {
  const size_t before = known->size();
  ForEachStatement(rule, [&](const Statement &statement) {
    if (!statement.writes() || rule.params[statement.target].rank != 1) return;
    std::set<int> together = {statement.target};
    bool is_single = false;
    // The reads below a reduction are elements'.
    std::vector<Expr> open = {statement.value};
    std::set<const Node *> seen;
    while (!open.empty()) {
      const Expr node = open.back();
      open.pop_back();
      if (!seen.insert(node.get()).second) continue;
      is_single = is_single || ClassOf(node->op) == OpClass::Reduce;
      if (ClassOf(node->op) == OpClass::Reduce) continue;
      if (node->op == Op::kRead && IsInPlace(*node)) together.insert(node->index);
      open.insert(open.end(), node->args.begin(), node->args.end());
    }
    for (int param : together) is_single = is_single || known->count(param) != 0;
    if (is_single) known->insert(together.begin(), together.end());
  });
  return known->size() > before;
}

std::set<int> FindSingles(const Rule &rule) {
  std::set<int> singles;
  ForEachStatement(rule, [&singles](const Statement &statement) {
    if (!statement.writes()) return;
    for (const auto &[param, axes] : ReadsOf(statement.value).operands) {
      if (axes.is_none()) singles.insert(param);
    }
  });
  while (FindMoreSingles(rule, &singles)) {
  }
  return singles;
}

}  // namespace

std::set<int> ValuesOf(const Rule &rule) {
  std::set<int> values;
  const Axes kept = KeptBy(rule);
  if (kept.is_every()) return values;
  for (size_t i = 0; i < rule.params.size(); ++i) {
    const Param &param = rule.params[i];
    if (kept.is_none() ? param.is_single : param.rank == 1) values.insert(static_cast<int>(i));
  }
  return kept.is_none() && values.empty() ? FindSingles(rule) : values;
}

bool Reads::Has(int param) const {
  return std::any_of(operands.begin(), operands.end(),
                     [param](const auto &operand) { return operand.first == param; });
}

bool IsGather(const Node &read) {
  const auto is_read = [](const Expr &index) { return !ReadNodesOf(index).empty(); };
  return read.axes.is_picked() || std::any_of(read.args.begin(), read.args.end(), is_read);
}

bool IsPicked(const Node &node) {
  return node.op == Op::kRead && node.args.size() == 2 && IsGather(node);
}

bool IsSameRead(const Node &a, const Node &b) {
  std::vector<std::pair<const Node *, const Node *>> open = {{&a, &b}};
  while (!open.empty()) {
    const auto [x, y] = open.back();
    open.pop_back();
    if (x == y) continue;
    const bool is_same = x->op == y->op && x->type == y->type && x->index == y->index &&
                         x->dim == y->dim && x->axes == y->axes && x->by == y->by &&
                         x->value == y->value && x->args.size() == y->args.size();
    if (!is_same) return false;
    for (size_t i = 0; i < x->args.size(); ++i) {
      open.push_back({x->args[i].get(), y->args[i].get()});
    }
  }
  return true;
}

std::vector<Expr> ReadNodesOf(const Expr &expr) {
  std::vector<Expr> reads;
  ForEachNode(expr, [&reads](const Expr &node) {
    if (node->op != Op::kRead) return;
    const bool is_known = std::any_of(
        reads.begin(), reads.end(), [&node](const Expr &read) { return IsSameRead(*read, *node); });
    if (!is_known) reads.push_back(node);
  });
  return reads;
}

std::set<const Node *> BelowReductions(const Expr &value) {
  std::set<const Node *> below;
  ForEachNode(value, [&below](const Expr &node) {
    if (ClassOf(node->op) != OpClass::Reduce) return;
    ForEachNode(node->args[0], [&below](const Expr &inner) { below.insert(inner.get()); });
  });
  return below;
}

std::vector<Expr> OutermostReductions(const Expr &value) {
  const std::set<const Node *> below = BelowReductions(value);
  std::vector<Expr> reductions;
  ForEachNode(value, [&](const Expr &node) {
    const bool is_below = below.count(node.get()) != 0;
    if (ClassOf(node->op) == OpClass::Reduce && !is_below) reductions.push_back(node);
  });
  return reductions;
}

Axes AxesOf(const Node &read, int rank) {
  if (read.args.empty()) return read.axes;
  const Node &index = *read.args.back();
  if (IsGather(read)) return Axes::Picked();
  if (index.op == Op::kLiteral) return Axes::None();
  if (index.dim == Node::kLastDim) return Axes::Last();
  if (index.dim == Node::kRows) return Axes::Rows();
  if (index.dim <= Node::kRest) return Axes::Without(Node::kRest - index.dim);
  return rank == 2 ? Axes::Rows() : Axes::Only(index.dim);
}

Reads ReadsOf(const Expr &expr, int rank) {
  Reads reads;
  ForEachNode(expr, [&reads, rank](const Expr &node) {
    if (node->op != Op::kRead) return;
    auto &known = reads.operands;
    const auto add = [&known](const std::pair<int, Axes> &operand) {
      if (std::find(known.begin(), known.end(), operand) == known.end()) known.push_back(operand);
    };
    add({node->index, AxesOf(*node, rank)});
    if (node->axes.is_picked()) add({node->by, Axes::Rows()});
  });
  return reads;
}

Expr ValueIn(const Expr &value, unsigned variant) {
  Rewriter rewrite([variant](const Expr &node, std::vector<Expr> args) {
    const bool is_choice = node->op == Op::kSelect && node->args[0]->op == Op::kCondition;
    if (!is_choice) return WithArgs(node, std::move(args));
    return args[(variant >> node->args[0]->index & 1) != 0 ? 1 : 2];
  });
  return rewrite(value);
}

bool EndsStage(const std::vector<Statement> &body) {
  bool ends = false;
  ForEachStatement(body, [&ends](const Statement &statement) {
    ends = ends || statement.kind == Statement::kBoundary || statement.is_call();
  });
  return ends;
}

}  // namespace mgen
