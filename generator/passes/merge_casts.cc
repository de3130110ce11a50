// SPDX-License-Identifier: Apache-2.0
#include "passes/merge_casts.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace mgen {

std::vector<ScalarKind> ChainOf(const Expr &expr) {
  std::vector<ScalarKind> chain;
  const Node *node = expr.get();
  for (; node->op == Op::kCast; node = node->args[0].get()) chain.push_back(node->type.kind);
  chain.push_back(node->type.kind);
  std::reverse(chain.begin(), chain.end());
  chain.erase(std::unique(chain.begin(), chain.end()), chain.end());
  return chain;
}

Expr CoreOf(Expr expr) {
  while (expr->op == Op::kCast) expr = expr->args[0];
  return expr;
}

namespace {

using Chain = std::vector<ScalarKind>;

/// Whether `wide` has every value of `narrow`, another one: both floats, or both integers.
bool Holds(ScalarKind wide, ScalarKind narrow) {
  if (IsFloat(wide) && IsFloat(narrow)) return Bytes(wide) > Bytes(narrow);
  if (!IsInteger(wide) || !IsInteger(narrow)) return false;
  const bool same_sign = CategoryOf(wide) == CategoryOf(narrow);
  return Bytes(wide) > Bytes(narrow) && (same_sign || CategoryOf(wide) == Category::kSigned);
}

/// Without the kinds on the way that change no value: of half_t → float → double, float.
Chain WithoutDetours(const Chain &chain) {
  Chain shorter;
  for (size_t i = 0; i < chain.size(); ++i) {
    const bool is_between = i > 0 && i + 1 < chain.size();
    if (!is_between || !Holds(chain[i], shorter.back())) shorter.push_back(chain[i]);
  }
  shorter.erase(std::unique(shorter.begin(), shorter.end()), shorter.end());
  return shorter;
}

class Search {
 public:
  Search(const TypeTable &types, std::vector<Chain> chains, bool is_uniform)
      : types_(types), chains_(std::move(chains)), is_uniform_(is_uniform) {
    for (size_t i = 0; i < chains_.size(); ++i) {
      if (chains_[i].size() > chains_[longest_].size()) longest_ = i;
    }
  }

  std::optional<std::vector<Type>> Run(Type core) {
    const Kinds kinds = types_.KindsOf(core);
    std::vector<size_t> at(chains_.size(), 0);
    for (size_t i = 0; i < chains_.size(); ++i) {
      if (chains_[i][0] != kinds[i]) return std::nullopt;
    }
    if (!Extend(1, kinds, at)) return std::nullopt;
    return std::move(casts_);
  }

 private:
  /// Adds the casts of the longest chain from `position` on.
  /// \param kinds the kinds of the value after the casts so far
  /// \param at how far each instance's chain has been followed
  bool Extend(size_t position, const Kinds &kinds, const std::vector<size_t> &at) {
    if (position == chains_[longest_].size()) return IsComplete(at);
    for (Type type : Choices(chains_[longest_][position])) {
      const Kinds next = types_.KindsOf(type);
      std::vector<size_t> next_at = at;
      if (!Follow(kinds, next, &next_at)) continue;
      casts_.push_back(type);
      if (Extend(position + 1, next, next_at)) return true;
      casts_.pop_back();
    }
    return false;
  }

  /// The types that are `kind` in the instance with the longest chain.
  std::vector<Type> Choices(ScalarKind kind) const {
    std::vector<Type> choices;
    const auto add_params = [&](bool promoted) {
      for (int p = 0; p < types_.param_count(); ++p) {
        const Type type = types_.Parameter(p, promoted);
        if (types_.KindsOf(type)[longest_] == kind) choices.push_back(type);
      }
    };
    add_params(false);
    choices.insert(is_uniform_ ? choices.begin() : choices.end(), Type{kind});
    add_params(true);
    return choices;
  }

  bool Follow(const Kinds &from, const Kinds &to, std::vector<size_t> *at) const {
    for (size_t i = 0; i < chains_.size(); ++i) {
      if (to[i] == from[i]) continue;
      ++(*at)[i];
      if ((*at)[i] >= chains_[i].size() || chains_[i][(*at)[i]] != to[i]) return false;
    }
    return true;
  }

  bool IsComplete(const std::vector<size_t> &at) const {
    for (size_t i = 0; i < chains_.size(); ++i) {
      if (at[i] + 1 != chains_[i].size()) return false;
    }
    return true;
  }

  const TypeTable &types_;
  std::vector<Chain> chains_;
  size_t longest_ = 0;
  bool is_uniform_;
  std::vector<Type> casts_;
};

}  // namespace

std::optional<std::vector<Type>> FindCasts(const TypeTable &types, const std::vector<Expr> &exprs,
                                           Type core, bool is_uniform) {
  std::vector<Chain> chains, shorter;
  for (const Expr &expr : exprs) {
    chains.push_back(ChainOf(expr));
    shorter.push_back(WithoutDetours(chains.back()));
  }
  auto casts = Search(types, std::move(chains), is_uniform).Run(core);
  return casts ? casts : Search(types, std::move(shorter), is_uniform).Run(core);
}

}  // namespace mgen
