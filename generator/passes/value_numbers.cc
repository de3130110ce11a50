// SPDX-License-Identifier: Apache-2.0
#include "passes/value_numbers.h"

#include <cstring>
#include <utility>

namespace mgen {
namespace {

uint64_t LiteralBits(const LiteralValue &value) {
  return std::visit(
      [](auto v) {
        uint64_t bits = 0;
        if (v != v) return ~bits;  // all NaNs are the same value
        std::memcpy(&bits, &v, sizeof v);
        return bits;
      },
      value);
}

}  // namespace

ValueNumbers::Key ValueNumbers::KeyOf(const Node &node) const {
  int version = 0;
  if (node.op == Op::kRead) {
    const auto found = versions_.find(node.index);
    if (found != versions_.end()) version = found->second;
  }
  std::vector<int> args;
  for (const Expr &arg : node.args) args.push_back(known_.at(arg.get()));
  const ScalarKind kind = node.type.symbolic() ? ScalarKind::kFloat32 : node.type.kind;
  return {node.op,
          kind,
          node.type.promoted ? -2 - node.type.param : node.type.param,
          node.index,
          node.op == Op::kRead ? node.by : node.dim,
          node.axes,
          node.order,
          node.reducer,
          node.is_exclusive,
          version,
          node.op == Op::kCall ? node.name : "",
          node.op == Op::kLiteral ? LiteralBits(node.value) : 0,
          std::move(args)};
}

int ValueNumbers::Of(const Expr &root) {
  kept_.push_back(root);
  order_.Walk(root, [this](const Expr &node) {
    Key key = KeyOf(*node);
    const std::vector<int> args = std::get<std::vector<int>>(key);
    const auto [place, is_new] = numbers_.emplace(std::move(key), size());
    if (is_new) {
      nodes_.push_back(node);
      args_.push_back(args);
    }
    known_[node.get()] = place->second;
  });
  return known_.at(root.get());
}

void ValueNumbers::Written(int param) {
  Versions versions = versions_;
  versions[param] = ++last_version_;
  set_versions(std::move(versions));
}

void ValueNumbers::set_versions(Versions versions) {
  versions_ = std::move(versions);
  order_ = PostOrder();
  known_.clear();
  kept_.clear();
}

}  // namespace mgen
