// SPDX-License-Identifier: Apache-2.0
#include "passes/scattered.h"

#include "ir/view_call.h"

namespace mgen {
namespace {

bool Scatters(const View *view) {
  if (view == nullptr) return false;
  const std::optional<ViewCall> call = ParseViewCall(*view);
  return call && call->operand < 0 && call->name == "scatter_columns";
}

}  // namespace

int ScatteredOf(const Plan &plan) {
  if (plan.is_staged() || !plan.kept.is_every()) return -1;
  int scattered = -1;
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const Operand &operand = plan.operands[i];
    if (operand.is_temporary || !operand.load) continue;
    const int index = static_cast<int>(i);
    const bool is_only = scattered < 0 && operand.used.always();
    if (!is_only || operand.read || !Scatters(plan.ViewOf(index))) return -1;
    scattered = index;
  }
  return scattered;
}

}  // namespace mgen
