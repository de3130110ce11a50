// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/instruction_set.h"

#include <algorithm>

#include "backends/common/skeleton.h"
#include "emit/names.h"

namespace mgen {
bool EmitsIsa(const EmitOptions &options, const char *isa) {
  return std::find(options.isa.begin(), options.isa.end(), isa) != options.isa.end();
}

bool HasShortPackets(const Plan &plan, const EmitOptions &options) {
  return EmitsIsa(options, "avx512") && plan.schedule.has_short_packets;
}

std::string ChosenIsa(const PlanText &rule, const EmitOptions &options) {
  const Plan &plan = rule.plan();
  const bool has_choice = EmitsIsa(options, "avx2") || HasShortPackets(plan, options);
  const IsaPolicy policy = has_choice ? plan.schedule.isa : IsaPolicy::kWidest;
  const std::string of = rule.type_params().empty() ? "" : "Of" + TemplateArgs(rule.type_params());
  if (policy == IsaPolicy::kDivide && rule.divides_exactly()) {
    return "mshadow::IsaToDivide" + of + "()";
  }
  if (policy == IsaPolicy::kWidest || policy == IsaPolicy::kDivide) return "mshadow::ActiveIsa()";
  const bool copies = policy == IsaPolicy::kCopy && HasShortPackets(plan, options);
  return (copies ? "mshadow::IsaToCopy" + of : "mshadow::IsaToMove") + "(" +
         SkeletonOf(plan).elements + " * kBytes)";
}

}  // namespace mgen
