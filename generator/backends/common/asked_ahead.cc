// SPDX-License-Identifier: Apache-2.0
#include "backends/common/asked_ahead.h"

#include <algorithm>

#include "ir/walk.h"

namespace mgen {
namespace {

/// Whether a sweep computes longer than a cache takes to bring what it loads.
bool IsCostly(const Phase &phase) {
  bool is_costly = false;
  ForEachStep(phase.steps, [&is_costly](const Step &step) {
    ForEachNode(step.value, [&is_costly](const Expr &node) {
      is_costly = is_costly || IsElementary(node->op) || node->op == Op::kCall;
    });
  });
  return is_costly;
}

/// The sweep that asks: the first that is costly, but for the very first; null if there is none.
const Phase *AskingSweep(const Plan &plan) {
  if (plan.frame != Frame::kRow) return nullptr;
  bool is_first = true;
  for (const Phase &phase : plan.phases) {
    if (!phase.is_sweep) continue;
    if (!is_first && IsCostly(phase)) return &phase;
    is_first = false;
  }
  return nullptr;
}

/// Whether a sweep's use of an operand loads elements of a tensor at their own places.
bool LoadsTensor(const Plan &plan, const Phase::Use &use) {
  return use.load && !plan.IsRowBuffer(use.index) && !plan.ViewOf(use.index) &&
         plan.operands[use.index].map == IndexMap::kIdentity;
}

}  // namespace

std::vector<AskedOperand> AskedAhead(const Plan &plan, const Phase &phase) {
  std::vector<AskedOperand> asked;
  if (AskingSweep(plan) != &phase) return asked;
  bool next = true;
  for (const Phase &sweep : plan.phases) {
    for (const Phase::Use &use : sweep.operands) {
      const bool is_new = std::none_of(asked.begin(), asked.end(), [&use](const AskedOperand &a) {
        return a.operand == use.index;
      });
      if (is_new && LoadsTensor(plan, use)) asked.push_back({use.index, next});
    }
    if (&sweep == &phase) next = false;
  }
  return asked;
}

bool AsksAhead(const Plan &plan) {
  return std::any_of(plan.phases.begin(), plan.phases.end(),
                     [&plan](const Phase &phase) { return !AskedAhead(plan, phase).empty(); });
}

}  // namespace mgen
