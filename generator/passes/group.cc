// SPDX-License-Identifier: Apache-2.0
#include "passes/group.h"

#include <set>
#include <utility>

#include "ir/walk.h"

namespace mgen {
namespace {

struct Effects {
  std::set<int> writes;
  std::set<int> shifted_reads;  // through a row or column map
};

/// In a row-wise rule a vector's element is its row's: reading it is no shift. Elements picked out
/// of a row are read between two sweeps over it.
Effects EffectsOf(const Statement &statement, bool is_row_wise) {
  Effects effects;
  ForEachStatement({statement}, [&](const Statement &s) {
    if (s.kind == Statement::kIf) return;
    effects.writes.insert(s.target);
    for (const auto &[param, map] : ReadsOf(s.value).operands) {
      const bool is_of_row = map == IndexMap::kColumn || map == IndexMap::kGather;
      const bool is_aligned = map == IndexMap::kIdentity || (is_row_wise && is_of_row);
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
  const bool is_row_wise = IsRowWise(rule);
  std::vector<Stage> stages;
  Effects stage;
  for (Stage &old : rule.stages) {
    for (Statement &statement : old.body) {
      const Effects effects = EffectsOf(statement, is_row_wise);
      if (stages.empty() || Meet(stage.writes, effects.shifted_reads) ||
          Meet(stage.shifted_reads, effects.writes)) {
        stages.emplace_back();
        stage = Effects();
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
