// SPDX-License-Identifier: Apache-2.0
#include "ir/access.h"

#include <algorithm>

namespace mgen {
namespace {

/// What one stage does. A tensor keeps elements where a part of it is written, or only some
/// variants write it.
struct StageAccess {
  bool read = false, written = false, replaced = false;

  void Add(bool reads, bool writes, bool replaces) {
    read = read || reads;
    written = written || writes;
    replaced = replaced || replaces;
  }
};

/// Whether `tensor` is the argument, or elements of it.
bool IsOf(const Rule &rule, int tensor, int argument) {
  if (tensor == argument) return true;
  const std::optional<View> &view = rule.params[tensor].view;
  const std::vector<int> sources = view ? view->Sources() : std::vector<int>();
  return std::any_of(sources.begin(), sources.end(),
                     [&](int source) { return IsOf(rule, source, argument); });
}

StageAccess OfKernel(const Plan &plan, int argument) {
  StageAccess access;
  for (const Operand &operand : plan.operands) {
    if (!IsOf(plan.rule, operand.param, argument)) continue;
    const bool names_rows = plan.rule.params[operand.param].Indices() == argument;
    access.Add(operand.load || names_rows, !operand.store.never() && !names_rows,
               operand.param == argument && operand.store.always());
  }
  return access;
}

StageAccess OfCall(const Rule &rule, const StageCall &call, int argument) {
  StageAccess access;
  for (const int source : call.sources()) {
    access.Add(IsOf(rule, source, argument), false, false);
  }
  for (const int target : call.targets()) {
    if (!IsOf(rule, target, argument)) continue;
    access.Add(call.saver != Saver::kSave, true, target == argument && call.condition < 0);
  }
  return access;
}

}  // namespace

Access AccessOf(const Plan &plan, int argument) {
  Access result;
  bool is_new = false;  // an earlier stage wrote every element, whatever the variant
  const auto add = [&](const StageAccess &stage) {
    result.read = result.read || (stage.read && !is_new);
    result.written = result.written || stage.written;
    is_new = is_new || stage.replaced;
  };
  if (!plan.is_staged()) add(OfKernel(plan, argument));
  for (const PlanStage &stage : plan.stages) {
    add(stage.call ? OfCall(plan.rule, *stage.call, argument)
                   : OfKernel(stage.kernel[0], argument));
  }
  return result;
}

}  // namespace mgen
