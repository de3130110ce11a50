// SPDX-License-Identifier: Apache-2.0
#include "passes/accesses.h"

#include <algorithm>
#include <set>

#include "ir/walk.h"
#include "passes/traffic.h"

namespace mgen {
namespace {

class Analysis {
 public:
  Analysis(const Rule &rule, const RuleConditions &conditions)
      : rule_(rule), conditions_(conditions), values_(ValuesOf(rule)), value_map_(KeptBy(rule)) {}

  Accesses Run() {
    for (variant_ = 0; variant_ < conditions_.variant_count(); ++variant_) RunVariant();
    return std::move(accesses_);
  }

 private:
  struct Known {
    Reads reads;
    bool has_choice = false;
  };

  Accesses::Access &AccessOf(int param, Axes axes, bool is_operand = true) {
    Accesses::Access &access = accesses_.operands[{param, axes}];
    access.stored.resize(conditions_.variant_count(), false);
    access.used.resize(conditions_.variant_count(), false);
    access.used[variant_] = true;
    access.is_operand = access.is_operand || is_operand;
    return access;
  }

  /// How a statement sees the tensor that it writes.
  Axes TargetMap(int param) const { return values_.count(param) != 0 ? value_map_ : Axes::Every(); }

  int BytesOf(int param, Axes axes) const {
    const Param &of = rule_.params[param];
    return axes.is_every() && IsTraffic(of) ? Bytes(of.type.kind) : 0;
  }

  /// Most values contain no choice, and read the same in every variant.
  Reads ReadsOf(const Statement &statement) {
    const auto [place, is_new] = known_.try_emplace(&statement);
    Known &known = place->second;
    if (is_new) {
      known.reads = mgen::ReadsOf(statement.value);
      ForEachNode(statement.value, [&known](const Expr &node) {
        known.has_choice = known.has_choice || node->op == Op::kCondition;
      });
    }
    return known.has_choice ? mgen::ReadsOf(ValueIn(statement.value, variant_)) : known.reads;
  }

  /// A gather of one element of each row counts as no traffic, but the Plan needs the row as an
  /// operand. Unfused, a statement must not write the tensor that it gathers from.
  void NoteGather(int param, int target, const std::set<int> &written) {
    AccessOf(param, rule_.params[param].rank == 1 ? Axes::Last() : Axes::Every());
    if (target != param) accesses_.read_after_write[{target, param}] = true;
    for (int other : written) {
      if (other != param) accesses_.read_after_write[{other, param}] = true;
    }
  }

  void RunVariant() {
    std::set<int> written;
    std::set<std::pair<int, Axes>> loaded;
    Traffic traffic;
    for (const Statement *statement : Linearize(rule_, conditions_, variant_)) {
      ++traffic.passes;
      const Reads reads = ReadsOf(*statement);
      for (const auto &[param, axes] : reads.operands) {
        if (axes.is_picked()) {
          NoteGather(param, statement->target, written);
          continue;
        }
        Accesses::Access &access = AccessOf(param, axes);
        traffic.unfused += BytesOf(param, axes);
        if (axes != TargetMap(param) || written.count(param) == 0) {
          access.loaded = true;
          loaded.insert({param, axes});
        }
        for (int other : written) {
          if (other != param) accesses_.read_after_write[{other, param}] = true;
        }
      }
      for (const Expr &e : statement->fitting) {
        const bool is_read = e->op == Op::kRead && rule_.params[e->index].is_argument();
        if (is_read) AccessOf(e->index, e->axes, /*is_operand=*/false);
      }
      const Axes target_map = TargetMap(statement->target);
      AccessOf(statement->target, target_map).stored[variant_] = true;
      traffic.unfused += BytesOf(statement->target, target_map);
      written.insert(statement->target);
    }
    for (const auto &[param, axes] : loaded) traffic.fused += BytesOf(param, axes);
    for (int param : written) {
      if (!rule_.params[param].is_temporary) traffic.fused += BytesOf(param, TargetMap(param));
    }
    // Where only vectors are moved, which count as no bytes, the variant with the most statements.
    const auto cost = [](const Traffic &of) { return std::make_pair(of.unfused, of.passes); };
    if (cost(traffic) > cost(accesses_.traffic)) accesses_.traffic = traffic;
  }

  const Rule &rule_;
  const RuleConditions &conditions_;
  const std::set<int> values_;
  const Axes value_map_;
  unsigned variant_ = 0;
  std::map<const Statement *, Known> known_;
  Accesses accesses_;
};

/// Whether both are one type in every instance.
bool AlwaysSameType(const Rule &rule, Type a, Type b) {
  if (a == b) return true;
  if (rule.instances.empty()) return false;
  return std::all_of(rule.instances.begin(), rule.instances.end(), [&](const auto &instance) {
    return KindIn(a, instance) == KindIn(b, instance);
  });
}

}  // namespace

Accesses AccessesOf(const Rule &rule, const RuleConditions &conditions) {
  return Analysis(rule, conditions).Run();
}

std::vector<AliasRule> AliasesOf(const Rule &rule, const Accesses &accesses) {
  std::set<int> used;
  std::set<int> written;
  std::set<int> shifted;
  for (const auto &[operand, access] : accesses.operands) {
    const auto &[param, axes] = operand;
    const bool is_part = rule.params[param].is_part();
    if (rule.params[param].view && !is_part) {
      for (int source : rule.params[param].view->Sources()) shifted.insert(source);
    }
    // It has no memory, or only that of its sources.
    if (!rule.params[param].is_argument() && !is_part) continue;
    used.insert(param);
    if (!axes.is_every()) shifted.insert(param);
    const auto &stored = access.stored;
    if (std::find(stored.begin(), stored.end(), true) != stored.end()) written.insert(param);
  }
  std::vector<AliasRule> aliases;
  for (int target : written) {
    for (int other : used) {
      // If both tensors are written, they are still only one pair.
      if (other == target || (other < target && written.count(other) != 0)) continue;
      const bool same_allowed =
          written.count(other) == 0 && shifted.count(other) == 0 && shifted.count(target) == 0 &&
          AlwaysSameType(rule, rule.params[target].type, rule.params[other].type) &&
          rule.params[target].Indices() == rule.params[other].Indices() &&
          accesses.read_after_write.count({target, other}) == 0;
      aliases.push_back({target, other, same_allowed});
    }
  }
  ForEachStatement(rule, [&](const Statement &statement) {
    for (int other : statement.apart) {
      const auto same = [&](const AliasRule &alias) {
        return std::minmax(alias.written, alias.other) == std::minmax(statement.target, other);
      };
      aliases.erase(std::remove_if(aliases.begin(), aliases.end(), same), aliases.end());
      aliases.push_back({statement.target, other, false});
    }
  });
  return aliases;
}

}  // namespace mgen
