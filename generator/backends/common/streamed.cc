// SPDX-License-Identifier: Apache-2.0
#include "backends/common/streamed.h"

#include <algorithm>

namespace mgen {
namespace {

/// The sweep's use of an operand, or null.
const Phase::Use *UseOf(const Phase &phase, int operand) {
  const auto use = std::find_if(phase.operands.begin(), phase.operands.end(),
                                [operand](const Phase::Use &u) { return u.index == operand; });
  return use == phase.operands.end() ? nullptr : &*use;
}

bool IsOnlyWritten(const Plan &plan, int operand) {
  const Operand &o = plan.operands[operand];
  if (o.map != IndexMap::kIdentity || o.is_temporary || o.load || o.store.never()) return false;
  if (plan.rule.params[o.param].is_inner_part()) return false;  // no rows at equal distances
  return std::all_of(plan.phases.begin(), plan.phases.end(), [operand](const Phase &phase) {
    const Phase::Use *const use = UseOf(phase, operand);
    return use == nullptr || !use->load;
  });
}

}  // namespace

int StreamedOperand(const Plan &plan) {
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const int operand = static_cast<int>(i);
    if (!plan.ViewOf(operand) && IsOnlyWritten(plan, operand)) return operand;
  }
  return -1;
}

bool StoresStreamed(const Plan &plan, const Phase &phase) {
  const Phase::Use *const use = UseOf(phase, StreamedOperand(plan));
  return use != nullptr && !use->store.never();
}

}  // namespace mgen
