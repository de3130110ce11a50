// SPDX-License-Identifier: Apache-2.0
#include "ir/stages.h"

#include <algorithm>

#include "ir/effects.h"
#include "ir/walk.h"

namespace mgen {

const Statement *CallOf(const Stage &stage) {
  const Statement *call = nullptr;
  ForEachStatement(stage.body, [&call](const Statement &statement) {
    if (statement.is_call()) call = &statement;
  });
  return call;
}

bool WritesSomething(const Rule &rule) {
  bool writes = false;
  ForEachStatement(rule, [&](const Statement &statement) {
    if (!statement.writes()) return;
    for (const int target : statement.targets()) {
      writes = writes || !rule.params[OwnerOf(rule, target)].is_temporary;
    }
  });
  return writes;
}

bool IsStaged(const Rule &rule) {
  const auto has_memory = [](const Param &param) { return param.is_workspace; };
  return rule.stages.size() > 1 ||
         (!rule.stages.empty() && CallOf(rule.stages.front()) != nullptr) ||
         std::any_of(rule.params.begin(), rule.params.end(), has_memory);
}

Rule StageRule(const Rule &rule, size_t number) {
  Rule stage = rule;
  if (IsStaged(rule)) stage.name += "Stage" + std::to_string(number + 1);
  stage.doc.clear();
  stage.stages = {rule.stages[number]};
  for (Param &param : stage.params) {
    if (param.is_workspace) param.is_temporary = false;
  }
  return stage;
}

}  // namespace mgen
