// SPDX-License-Identifier: Apache-2.0
#include "passes/prefetch.h"

#include <algorithm>

#include "ir/walk.h"

namespace mgen {
namespace {

/// Whether prefetching costs a sweep no measurable time: its packets wait for sums, or compute
/// longer than a load takes.
bool HasTime(const Phase &phase) {
  bool has_time = !phase.reductions.empty();
  ForEachStep(phase.steps, [&has_time](const Step &step) {
    ForEachNode(step.value, [&has_time](const Expr &node) {
      has_time = has_time || IsElementary(node->op) || node->op == Op::kCall;
    });
  });
  return has_time;
}

/// The sweep that prefetches: the first one after sweep 1 that has time; null if there is none.
const Phase *PrefetchingSweep(const Plan &plan) {
  if (!plan.kept.is_rows()) return nullptr;
  bool is_first = true;
  for (const Phase &phase : plan.phases) {
    if (!phase.is_sweep) continue;
    if (!is_first && HasTime(phase)) return &phase;
    is_first = false;
  }
  return nullptr;
}

bool ReadsOperand(const Plan &plan, const Expr &value, int operand) {
  bool reads = false;
  ForEachNode(value, [&](const Expr &node) {
    reads = reads || (node->op == Op::kRead && plan.FindOperand(*node) == operand);
  });
  return reads;
}

/// Whether a sweep reads an operand under all conditions. If a variant does not read memory, it
/// must not be prefetched.
bool ReadsAlways(const Plan &plan, const Phase &sweep, int operand) {
  for (unsigned variant = 0; variant < 1u << plan.conditions.size(); ++variant) {
    const bool reads = std::any_of(sweep.steps.begin(), sweep.steps.end(), [&](const Step &step) {
      return step.kind != Step::kIf && ReadsOperand(plan, ValueIn(step.value, variant), operand);
    });
    if (!reads) return false;
  }
  return true;
}

/// Whether a sweep's use of an operand loads elements of a tensor at the kernel's coordinates.
bool LoadsTensor(const Plan &plan, const Phase &sweep, const Phase::Use &use) {
  return use.load && !plan.IsRowBuffer(use.index) && !plan.ViewOf(use.index) &&
         plan.operands[use.index].axes.is_every() && ReadsAlways(plan, sweep, use.index);
}

}  // namespace

std::vector<Prefetch> PrefetchesOf(const Plan &plan, const Phase &phase) {
  std::vector<Prefetch> prefetches;
  if (PrefetchingSweep(plan) != &phase) return prefetches;
  bool next = true;
  for (const Phase &sweep : plan.phases) {
    for (const Phase::Use &use : sweep.operands) {
      const bool is_new =
          std::none_of(prefetches.begin(), prefetches.end(),
                       [&use](const Prefetch &p) { return p.operand == use.index; });
      if (is_new && LoadsTensor(plan, sweep, use)) prefetches.push_back({use.index, next});
    }
    if (&sweep == &phase) next = false;
  }
  return prefetches;
}

}  // namespace mgen
