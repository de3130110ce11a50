// SPDX-License-Identifier: Apache-2.0
#include "passes/merge_constants.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ir/builder.h"
#include "passes/constants.h"

namespace mgen {
namespace {

class ConstantSearch {
 public:
  ConstantSearch(const TypeTable &types, const std::vector<Expr> &exprs) : types_(types) {
    for (size_t i = 0; i < exprs.size(); ++i) {
      values_.push_back(Evaluate(exprs[i], types.instance(i)));
      AddSource(SourceOf(exprs[i]));
      AddSteps(KindsThrough(exprs[i]));
    }
    for (const Expr &value : values_) {
      if (value->op == Op::kLiteral) AddSource(value);
    }
    Kinds kinds;
    for (const Expr &value : values_) kinds.push_back(value->type.kind);
    targets_ = types.Candidates(kinds);
    // Tries concrete types first: other operands then decide what the type becomes.
    std::reverse(targets_.begin(), targets_.end());
  }

  Expr Run() const {
    if (Expr literal = Literal()) return literal;
    for (int count = 0; count <= kMostSteps; ++count) {
      for (const Expr &source : sources_) {
        if (Expr found = Convert(source, count)) return found;
      }
    }
    return nullptr;
  }

 private:
  void AddSource(const Expr &source) {
    const auto is_same = [&source](const Expr &other) { return SameValue(other, source); };
    if (std::none_of(sources_.begin(), sources_.end(), is_same)) sources_.push_back(source);
  }

  /// Type parameters, and the kinds that some instance converts to.
  void AddSteps(const std::vector<ScalarKind> &kinds) {
    std::vector<Type> types;
    for (const bool promoted : {false, true}) {
      for (int p = 0; p < types_.param_count(); ++p) {
        types.push_back(types_.Parameter(p, promoted));
      }
    }
    for (ScalarKind kind : kinds) types.push_back({kind});
    for (Type type : types) {
      if (std::find(steps_.begin(), steps_.end(), type) == steps_.end()) steps_.push_back(type);
    }
  }

  bool Fits(const Expr &constant) const {
    for (size_t i = 0; i < values_.size(); ++i) {
      if (!SameValue(Evaluate(constant, types_.instance(i)), values_[i])) return false;
    }
    return true;
  }

  /// `source` as a literal of `type`; null if it is not one in every instance.
  Expr LiteralOf(Type type, const Expr &source) const {
    if (source->type != type && !IsExactInDouble(source->value)) return nullptr;
    try {
      Expr literal = MakeLiteral(type, source->value);
      return Fits(literal) ? literal : nullptr;
    } catch (const std::invalid_argument &) {
      return nullptr;  // it is out of an instance's range
    }
  }

  /// A literal that each instance converts to its type.
  Expr Literal() const {
    for (Type type : targets_) {
      for (const Expr &source : sources_) {
        if (Expr literal = LiteralOf(type, source)) return literal;
      }
    }
    return nullptr;
  }

  /// `constant`, after `count` conversions to one of the targets.
  Expr Convert(const Expr &constant, int count) const {
    if (count == 0) {
      for (Type type : targets_) {
        if (Expr cast = MakeCast(type, constant); Fits(cast)) return cast;
      }
      return nullptr;
    }
    for (Type type : steps_) {
      if (type == constant->type) continue;
      if (Expr found = Convert(MakeCast(type, constant), count - 1)) return found;
    }
    return nullptr;
  }

  static constexpr int kMostSteps = 3;

  const TypeTable &types_;
  std::vector<Expr> values_;   ///< of the instances
  std::vector<Type> targets_;  ///< types that they all have
  std::vector<Expr> sources_;  ///< literals that the constant may be made of
  std::vector<Type> steps_;    ///< and types that it may go through
};

}  // namespace

Expr MergeConstants(const TypeTable &types, const std::vector<Expr> &exprs) {
  return ConstantSearch(types, exprs).Run();
}

}  // namespace mgen
