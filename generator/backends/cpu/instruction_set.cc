// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/instruction_set.h"

#include <algorithm>

#include "backends/common/division.h"
#include "backends/common/streamed.h"
#include "emit/names.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// Whether a quotient or a root is among the operations done for each element.
bool Divides(const Plan &plan) {
  bool divides = false;
  const auto visit = [&](const Step &step) {
    ForEachNode(step.value, [&](const Expr &node) {
      const Op op = node->op;
      divides = divides || op == Op::kDiv || op == Op::kRem || op == Op::kSqrt || op == Op::kRsqrt;
    });
  };
  ForEachStep(plan.steps, visit);
  for (const Phase &phase : plan.phases) {
    if (phase.is_sweep) ForEachStep(phase.steps, visit);
  }
  return divides;
}

/// Whether the rule does little but move memory.
bool IsLight(const Plan &plan) {
  const bool moves = !plan.has_phases() || plan.by_plane() || plan.by_block();
  return moves && !plan.uses_math && plan.lanewise_calls.empty() && !Divides(plan);
}

/// Whether a type that the rule names is one of \p are.
bool Names(const Plan &plan, bool (*are)(ScalarKind)) {
  return std::any_of(plan.operands.begin(), plan.operands.end(), [are](const Operand &operand) {
    return !operand.type.symbolic() && are(operand.type.kind);
  });
}
bool IsNoWideFloat(ScalarKind kind) { return !IsFloat(kind) || IsNarrowFloat(kind); }

}  // namespace

bool EmitsIsa(const EmitOptions &options, const char *isa) {
  return std::find(options.isa.begin(), options.isa.end(), isa) != options.isa.end();
}

bool HasShortPackets(const Plan &plan, const EmitOptions &options) {
  return EmitsIsa(options, "avx512") && IsLight(plan) && !plan.by_block();
}

std::string ChosenIsa(const PlanText &rule, const EmitOptions &options) {
  const Plan &plan = rule.plan();
  if (!EmitsIsa(options, "avx2") && !HasShortPackets(plan, options)) return "mshadow::ActiveIsa()";
  const std::string of = rule.type_params().empty() ? "" : "Of" + TemplateArgs(rule.type_params());
  if (rule.divides_exactly() && !Names(plan, IsNoWideFloat) && WaitsForDivider(plan)) {
    return "mshadow::IsaToDivide" + of + "()";
  }
  if (!IsLight(plan)) return "mshadow::ActiveIsa()";
  // What was read is in the first cache when it is stored, and conversions of narrow floats gain by
  // packets of 64 bytes.
  const bool copies =
      StreamedOperand(plan) >= 0 && HasShortPackets(plan, options) && !Names(plan, IsNarrowFloat);
  return (copies ? "mshadow::IsaToCopy" + of : "mshadow::IsaToMove") +
         (plan.by_channel() ? "(plan.channels.kept * elements" : "(plan.rows * plan.cols") +
         " * kBytes)";
}

}  // namespace mgen
