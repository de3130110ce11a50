// SPDX-License-Identifier: Apache-2.0
#include "passes/group.h"

#include <set>
#include <utility>

#include "ir/walk.h"

namespace mgen {
namespace {

struct StageEffects {
  std::set<int> writes;
  std::set<int> shifted_reads;  // through a row or column map
};

/// In a rule that reduces, a value is its row's, or the only one: reading it is no shift. Elements
/// picked out of a row are read between two sweeps over it.
StageEffects EffectsOf(const Statement &statement, IndexMap value_map) {
  StageEffects effects;
  ForEachStatement({statement}, [&](const Statement &s) {
    if (s.kind == Statement::kIf) return;
    effects.writes.insert(s.target);
    for (const auto &[param, map] : ReadsOf(s.value).operands) {
      const bool is_aligned =
          map == IndexMap::kIdentity || map == value_map || map == IndexMap::kGather;
      if (!is_aligned) effects.shifted_reads.insert(param);
    }
  });
  return effects;
}

bool Meet(const std::set<int> &a, const std::set<int> &b) {
  for (int value : a) {
    if (b.count(value) != 0) return true;
  }
  return false;
}

}  // namespace

Rule Group(Rule rule) {
  const IndexMap value_map = ValueMap(FrameOf(rule));
  std::vector<Stage> stages;
  StageEffects stage;
  for (Stage &old : rule.stages) {
    for (Statement &statement : old.body) {
      const StageEffects effects = EffectsOf(statement, value_map);
      if (stages.empty() || Meet(stage.writes, effects.shifted_reads) ||
          Meet(stage.shifted_reads, effects.writes)) {
        stages.emplace_back();
        stage = StageEffects();
      }
      stage.writes.insert(effects.writes.begin(), effects.writes.end());
      stage.shifted_reads.insert(effects.shifted_reads.begin(), effects.shifted_reads.end());
      stages.back().body.push_back(std::move(statement));
    }
  }
  rule.stages = std::move(stages);
  return rule;
}

}  // namespace mgen
