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
    if (is_of_more || Kept::By(*node).only() >= 0) rank = std::max(rank, 3);
    if (node->op == Op::kRead && IsInPlace(*node)) see(node->index);
  });
  see(statement.target);
  return rank;
}

namespace {

/// Of a rule that reduces nothing: vectors that it computes and then broadcasts to a tensor of
/// another rank are values, of each row or of each column.
Kept KeptByVectors(const Rule &rule) {
  Kept kept;
  std::set<int> written;
  ForEachStatement(rule, [&](const Statement &statement) {
    if (!statement.writes()) return;
    const bool is_vector = rule.params[statement.target].rank == 1;
    for (const auto &[param, map] :
         ReadsOf(statement.value, RankOfElements(rule, statement)).operands) {
      if (is_vector || written.count(param) == 0) continue;
      if (map == IndexMap::kRow) kept = Kept::Last();
      if (map == IndexMap::kColumn) kept = Kept::Rows();
    }
    if (is_vector) written.insert(statement.target);
  });
  return kept;
}

}  // namespace

Kept KeptBy(const Rule &rule) {
  Kept kept;
  ForEachStatement(rule, [&](const Statement &statement) {
    if (!statement.writes()) return;
    const int rank = RankOfElements(rule, statement);
    ForEachNode(statement.value, [&](const Expr &node) {
      const IndexMap map = node->op == Op::kRead ? MapOf(*node, rank) : IndexMap::kIdentity;
      if (ClassOf(node->op) == OpClass::Reduce) kept = Kept::By(*node);
      if (map == IndexMap::kGather) kept = Kept::Rows();
      if (map == IndexMap::kChannel) kept = Kept::Only(std::max(ChannelDimOf(rule), 0));
      if (map == IndexMap::kRest) kept = Kept::Without(std::max(ReducedAxisOf(rule), 0));
    });
  });
  return kept.is_every() ? KeptByVectors(rule) : kept;
}

int ChannelDimOf(const Rule &kernel) {
  int dim = kernel.channel_dim;
  ForEachStatement(kernel, [&](const Statement &statement) {
    if (!statement.writes()) return;
    const int rank = RankOfElements(kernel, statement);
    const auto see = [&dim, rank](const Expr &node) {
      if (const int only = Kept::By(*node).only(); only >= 0) dim = only;
      if (node->op != Op::kRead || node->args.empty()) return;
      if (MapOf(*node, rank) == IndexMap::kChannel) dim = node->args.back()->dim;
    };
    ForEachNode(statement.value, see);
    for (const Expr &fitting : statement.fitting) ForEachNode(fitting, see);
  });
  return dim;
}

int ReducedAxisOf(const Rule &kernel) {
  int axis = kernel.reduced_axis;
  const auto see = [&axis](const Expr &node) {
    const bool names_axis = node->op == Op::kAxis || ClassOf(node->op) == OpClass::Reduce;
    if (names_axis && node->dim <= Node::kRest) axis = Node::kRest - node->dim;
  };
  ForEachStatement(kernel, [&see](const Statement &statement) {
    if (!statement.writes()) return;
    ForEachNode(statement.value, see);
    for (const Expr &fitting : statement.fitting) ForEachNode(fitting, see);
  });
  return axis;
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
    for (const auto &[param, map] : ReadsOf(statement.value).operands) {
      if (map == IndexMap::kOne) singles.insert(param);
    }
  });
  while (FindMoreSingles(rule, &singles)) {
  }
  return singles;
}

}  // namespace

std::set<int> ValuesOf(const Rule &rule) {
  std::set<int> values;
  const Kept kept = KeptBy(rule);
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
  return read.map == IndexMap::kGather || std::any_of(read.args.begin(), read.args.end(), is_read);
}

bool IsSameRead(const Node &a, const Node &b) {
  std::vector<std::pair<const Node *, const Node *>> open = {{&a, &b}};
  while (!open.empty()) {
    const auto [x, y] = open.back();
    open.pop_back();
    if (x == y) continue;
    const bool is_same = x->op == y->op && x->type == y->type && x->index == y->index &&
                         x->dim == y->dim && x->map == y->map && x->by == y->by &&
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

IndexMap MapOf(const Node &read, int rank) {
  if (read.args.empty()) return read.map;
  const Node &index = *read.args.back();
  if (IsGather(read)) return IndexMap::kGather;
  if (index.op == Op::kLiteral) return IndexMap::kOne;
  if (index.dim == Node::kLastDim) return IndexMap::kRow;
  if (index.dim == Node::kRows) return IndexMap::kColumn;
  if (index.dim <= Node::kRest) return IndexMap::kRest;
  return rank == 2 ? IndexMap::kColumn : IndexMap::kChannel;
}

Reads ReadsOf(const Expr &expr, int rank) {
  Reads reads;
  ForEachNode(expr, [&reads, rank](const Expr &node) {
    if (node->op != Op::kRead) return;
    auto &known = reads.operands;
    const auto add = [&known](const std::pair<int, IndexMap> &operand) {
      if (std::find(known.begin(), known.end(), operand) == known.end()) known.push_back(operand);
    };
    add({node->index, MapOf(*node, rank)});
    if (node->map == IndexMap::kGather) add({node->by, IndexMap::kColumn});
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
    ends = ends || statement.kind == Statement::kBoundary || statement.kind == Statement::kProduct;
  });
  return ends;
}

}  // namespace mgen
