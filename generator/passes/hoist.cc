// SPDX-License-Identifier: Apache-2.0
#include "passes/hoist.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ir/builder.h"
#include "ir/walk.h"
#include "passes/names.h"
#include "passes/traps.h"

namespace mgen {
namespace {

bool CanHoistLeaf(Op op) {
  return op == Op::kParam || op == Op::kLocal || op == Op::kDim || op == Op::kLiteral;
}

/// The parameter or local that `value` is, under any casts; null if it is something else.
const Node *NamedLeaf(const Expr &value) {
  const Node *node = value.get();
  while (node->op == Op::kCast) node = node->args[0].get();
  return node->op == Op::kParam || node->op == Op::kLocal ? node : nullptr;
}

/// Visits each node once, before its operands, left to right. If `visit` returns false, it does not
/// visit the operands.
template <typename Visit>
void PreOrder(const Expr &root, Visit &&visit) {
  std::unordered_set<const Node *> seen;
  std::vector<Expr> pending = {root};
  while (!pending.empty()) {
    const Expr node = std::move(pending.back());
    pending.pop_back();
    if (!seen.insert(node.get()).second || !visit(node)) continue;
    pending.insert(pending.end(), node->args.rbegin(), node->args.rend());
  }
}

/// Chooses the names of a rule's scalars.
class Namer {
 public:
  Namer(const Rule &rule, const std::vector<Condition> &conditions, size_t count)
      : rule_(rule), names_(count) {
    for (const Condition &condition : conditions) {
      reserved_.Take(condition.name);
      used_.Take(condition.name);
    }
    for (const Param &param : rule.params) reserved_.Take(param.name);
    for (const Local &local : rule.prologue) reserved_.Take(local.name);
  }

  /// Gives scalar `i` the name of its leaf unless another scalar has it.
  void NameAsLeaf(size_t i, const Expr &value) {
    const Node *leaf = NamedLeaf(value);
    if (leaf == nullptr || !names_[i].empty()) return;
    const std::string name = RuleLeafName(rule_, *leaf);
    names_[i] = used_.Has(name) ? Unique(name + "_" + TypeSuffix(rule_, value->type)) : name;
    used_.Take(names_[i]);
  }

  void NameAsValue(size_t i, const Expr &value, const std::string &target) {
    if (!names_[i].empty()) return;
    const std::string name =
        NameOf(value, [this](const Node &leaf) { return RuleLeafName(rule_, leaf); });
    names_[i] = Unique(name.empty() ? target + "_scalar" : name);
  }

  const std::string &name(size_t i) const { return names_[i]; }

 private:
  std::string Unique(const std::string &base) {
    const std::string name = reserved_.Unique(base);
    used_.Take(name);
    return name;
  }

  const Rule &rule_;
  std::vector<std::string> names_;
  NameSet reserved_;  // parameters, locals and used names
  NameSet used_;
};

}  // namespace

int Hoister::IndexOf(const Expr &value, const std::string &target) {
  const auto [place, is_new] =
      index_of_number_.emplace(numbers_.Of(value), static_cast<int>(values_.size()));
  if (is_new) {
    values_.push_back(value);
    targets_.push_back(target);
  }
  return place->second;
}

Expr Hoister::Hoist(const Expr &value, const std::string &target) {
  std::unordered_map<const Node *, bool> hoistable;
  ForEachNode(value, [&hoistable](const Expr &node) {
    bool can = ClassOf(node->op) != OpClass::Leaf || CanHoistLeaf(node->op);
    can = can && ClassOf(node->op) != OpClass::Scan;
    for (const Expr &arg : node->args) can = can && hoistable.at(arg.get());
    hoistable[node.get()] = can && !MayTrap(*node);
  });
  const auto hoist = [&](const Expr &node) {
    return WithLocation(MakeHoisted(IndexOf(node, target), node->type), node->location);
  };
  // Hoists the operands of nodes that stay. A literal is not worth a scalar.
  Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
    if (hoistable.at(node.get())) return node;
    for (size_t i = 0; i < args.size(); ++i) {
      const Expr &old = node->args[i];
      if (hoistable.at(old.get()) && old->op != Op::kLiteral) args[i] = hoist(old);
    }
    return WithArgs(node, std::move(args));
  });
  // First gives indices to the scalars, in the order in which the value reads them.
  PreOrder(value, [&](const Expr &node) {
    if (!hoistable.at(node.get())) return true;
    if (node->op != Op::kLiteral) IndexOf(node, target);
    return false;
  });
  if (hoistable.at(value.get()) && value->op != Op::kLiteral) return hoist(value);
  return rewrite(value);
}

Expr Hoister::HoistAll(const Expr &value, const std::string &target) {
  if (value->op == Op::kLiteral) return value;
  return MakeHoisted(IndexOf(value, target), value->type);
}

std::vector<HostScalar> Hoister::Scalars(const std::vector<Condition> &conditions) const {
  Namer namer(rule_, conditions, values_.size());
  for (size_t i = 0; i < values_.size(); ++i) {
    if (ClassOf(values_[i]->op) == OpClass::Leaf) namer.NameAsLeaf(i, values_[i]);
  }
  for (size_t i = 0; i < values_.size(); ++i) namer.NameAsLeaf(i, values_[i]);
  for (size_t i = 0; i < values_.size(); ++i) namer.NameAsValue(i, values_[i], targets_[i]);
  std::vector<HostScalar> scalars;
  for (size_t i = 0; i < values_.size(); ++i) {
    scalars.push_back({namer.name(i), values_[i]->type, values_[i]});
  }
  return scalars;
}

}  // namespace mgen
