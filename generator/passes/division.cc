// SPDX-License-Identifier: Apache-2.0
#include "passes/division.h"

#include "ir/walk.h"

namespace mgen {
namespace {

/// The value of a row that an expression reads; -1: it reads something else. It may not be a gather
/// from the row, which is loaded again before every sweep.
int ValueRead(const Plan &plan, const Node &node) {
  const bool reads_value =
      node.op == Op::kRead && plan.IsValue(node.axes) && !node.axes.is_picked();
  return reads_value ? plan.FindOperand(node) : -1;
}

/// Cycles for a packet of 64 bytes: of the divider, and of the two units for all else. The numbers
/// are those of Intel's processors since Ice Lake, for floats (uops.info). Other processors have
/// similar ones.
struct Cycles {
  double divider = 0;
  double others = 0;
};

Cycles CyclesOf(const Node &node) {
  constexpr double kQuotient = 10, kRoot = 12, kOther = 0.5;
  switch (node.op) {
    case Op::kDiv:
      return {IsFloat(node.type.kind) ? kQuotient : 0, kOther};
    case Op::kSqrt:
      return {kRoot, kOther};
    case Op::kRsqrt:
      return {kQuotient + kRoot, kOther};
    default:
      return {0, ClassOf(node.op) == OpClass::Leaf ? 0 : kOther};
  }
}

void AddSteps(const Plan &plan, const std::vector<Step> &steps, const std::set<int> &divisors,
              Cycles *cycles) {
  ForEachStep(steps, [&](const Step &step) {
    ForEachNode(step.value, [&](const Expr &node) {
      const Cycles more = CyclesOf(*node);
      const bool by_reciprocal =
          node->op == Op::kDiv && divisors.count(ValueRead(plan, *node->args[1])) != 0;
      cycles->divider += by_reciprocal ? 0 : more.divider;
      cycles->others += more.others;
    });
  });
}

/// The values by which a sweep divides floats, and which it uses for nothing else.
std::set<int> OnlyDividesBy(const Plan &plan, const Phase &sweep) {
  std::set<int> divisors, others = {-1};
  ForEachStep(sweep.steps, [&](const Step &step) {
    others.insert(ValueRead(plan, *step.value));
    ForEachNode(step.value, [&](const Expr &node) {
      for (size_t arg = 0; arg < node->args.size(); ++arg) {
        const bool divides = node->op == Op::kDiv && arg == 1 && IsFloat(node->type.kind);
        (divides ? divisors : others).insert(ValueRead(plan, *node->args[arg]));
      }
    });
  });
  for (const int other : others) divisors.erase(other);
  return divisors;
}

/// The values that an epilogue assigns.
std::set<int> GivenBy(const Phase &phase) {
  std::set<int> given;
  ForEachStep(phase.steps, [&](const Step &step) {
    if (!phase.is_sweep && step.kind == Step::kAssign) given.insert(step.operand);
  });
  return given;
}

}  // namespace

std::set<int> DivisorsOf(const Plan &plan, const Phase &sweep) {
  if (!plan.kept.is_rows() || !sweep.is_sweep) return {};
  std::set<int> divisors = OnlyDividesBy(plan, sweep);
  for (auto phase = plan.phases.rbegin(); &*phase != &sweep; ++phase) {
    for (const int given : GivenBy(*phase)) divisors.erase(given);
  }
  return divisors;
}

bool WaitsForDivider(const Plan &plan) {
  if (plan.uses_math || !plan.lanewise_calls.empty()) return false;
  Cycles cycles;
  AddSteps(plan, plan.steps, {}, &cycles);
  for (const Phase &phase : plan.phases) {
    if (phase.is_sweep) AddSteps(plan, phase.steps, phase.divisors, &cycles);
  }
  return cycles.divider > cycles.others;
}

}  // namespace mgen
