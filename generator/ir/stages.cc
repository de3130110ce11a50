// SPDX-License-Identifier: Apache-2.0
#include "ir/stages.h"

#include <algorithm>
#include <map>

#include "ir/forward.h"
#include "ir/walk.h"

namespace mgen {
std::set<int> TensorsOf(const Stage &stage) {
  std::set<int> tensors;
  ForEachStatement(stage.body, [&tensors](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    tensors.insert(statement.target);
    if (statement.kind == Statement::kProduct) {
      tensors.insert({statement.left.tensor, statement.right.tensor});
      return;
    }
    for (const auto &operand : ReadsOf(statement.value).operands) tensors.insert(operand.first);
  });
  return tensors;
}

const Statement *ProductOf(const Stage &stage) {
  const Statement *product = nullptr;
  ForEachStatement(stage.body, [&product](const Statement &statement) {
    if (statement.kind == Statement::kProduct) product = &statement;
  });
  return product;
}

bool WritesSomething(const Rule &rule) {
  bool writes = false;
  ForEachStatement(rule, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    const Param &target = rule.params[statement.target];
    const Param &owner = target.is_part() ? rule.params[target.view->Sources().front()] : target;
    writes = writes || !owner.is_temporary;
  });
  return writes;
}

bool IsStaged(const Rule &rule) {
  const auto has_memory = [](const Param &param) { return param.is_workspace; };
  return rule.stages.size() > 1 ||
         (!rule.stages.empty() && ProductOf(rule.stages.front()) != nullptr) ||
         std::any_of(rule.params.begin(), rule.params.end(), has_memory);
}

namespace {

/// Whether a launcher compares the shape of a temporary, which only this kernel uses, with those of
/// its other tensors: it has that of one of them, or an extent.
bool IsCompared(const Param &temporary, const std::set<int> &tensors) {
  if (temporary.shape_of >= 0) return tensors.count(temporary.shape_of) != 0;
  const Expr &extent = temporary.extents.front();
  const bool is_one = extent->op == Op::kLiteral;
  return temporary.rank == 1 && (is_one || tensors.count(extent->index) != 0);
}

bool IsKept(const Rule &rule, const Statement &write) {
  const Param &target = rule.params[write.target];
  return !target.is_temporary || target.is_workspace;
}

/// The last statement of a kernel in which nothing is kept; null if something is.
const Statement *LastOfNothing(const Rule &rule, const Stage &kernel) {
  const Statement *last = nullptr;
  bool keeps = false;
  ForEachStatement(kernel.body, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    last = &statement;
    keeps = keeps || IsKept(rule, statement);
  });
  return keeps ? nullptr : last;
}

/// Temporaries that nobody reads, in a kernel that would write nothing else: one of them has
/// memory, as unfused. The kernel also checks the shapes of what it reads.
void FindUnread(Rule *rule) {
  if (!WritesSomething(*rule)) return;  // another check says so
  for (const Stage &stage : rule->stages) {
    const Statement *last = ProductOf(stage) ? nullptr : LastOfNothing(*rule, stage);
    if (last != nullptr) rule->params[last->target].is_workspace = true;
  }
}

/// Those that a kernel has to keep.
void FindKept(Rule *rule) {
  for (size_t i = 0; i < rule->stages.size(); ++i) {
    if (ProductOf(rule->stages[i]) != nullptr) continue;
    for (int kept : KeptOf(StageRule(*rule, i))) rule->params[kept].is_workspace = true;
  }
}

}  // namespace

void FindWorkspaces(Rule *rule) {
  FindKept(rule);
  if (!IsStaged(*rule)) return;
  std::map<int, int> uses;  // by tensor: stages, those for two that need the tensor in memory
  for (const Stage &stage : rule->stages) {
    const std::set<int> tensors = TensorsOf(stage);
    for (int tensor : tensors) {
      const Param &param = rule->params[tensor];
      const bool needs_memory =
          ProductOf(stage) != nullptr || (param.is_temporary && !IsCompared(param, tensors));
      uses[tensor] += needs_memory ? 2 : 1;
      if (!param.view) continue;
      for (int source : param.view->Sources()) uses[source] += 2;
    }
  }
  for (const auto &[tensor, count] : uses) {
    Param &param = rule->params[tensor];
    param.is_workspace = param.is_workspace || (param.is_temporary && count > 1);
  }
  FindUnread(rule);
  FindKept(rule);  // what has memory now is what others are computed from
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
