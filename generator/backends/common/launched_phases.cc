// SPDX-License-Identifier: Apache-2.0
#include "backends/common/launched_phases.h"

#include <algorithm>

#include "backends/common/call_text.h"
#include "backends/common/kernel_body.h"
#include "backends/common/skeleton.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {

int LaunchedPhases::Giving(int operand) const {
  const auto gives = [operand](const PhaseText &phase) { return phase.given.count(operand) != 0; };
  return static_cast<int>(std::find_if(phases_.begin(), phases_.end(), gives) - phases_.begin());
}

bool LaunchedPhases::IsReadLater(int operand) const {
  const auto reads = [operand](const PhaseText &phase) {
    const std::vector<Phase::Use> &values = phase.phase->values;
    return std::any_of(values.begin(), values.end(),
                       [operand](const auto &use) { return use.index == operand && use.load; });
  };
  const auto giving = phases_.begin() + Giving(operand);
  return giving != phases_.end() && std::any_of(giving + 1, phases_.end(), reads);
}

bool LaunchedPhases::IsShared(int operand) const {
  const auto has = [operand](const PhaseText &phase) {
    return std::count(phase.values.begin(), phase.values.end(), operand) > 0;
  };
  return std::count_if(phases_.begin(), phases_.end(), has) > 1;
}

bool LaunchedPhases::IsInMemory(int operand) const {
  return !plan_.operands[operand].is_temporary || plan_.IsKept(operand);
}

std::string LaunchedPhases::Memory(int operand) const {
  return (plan_.operands[operand].is_temporary ? "plan.kept." : "plan.") +
         rule_.operand_name(operand);
}

std::string LaunchedPhases::Text(int number, const StepText &text, const std::string &body) const {
  const std::string unit = SkeletonOf(plan_).unit;
  const PhaseText &phase = phases_[static_cast<size_t>(number)];
  const bool is_sweep = phase.phase->is_sweep;
  Values values;
  values.Set("unit", unit)
      .Set("number", std::to_string(number))
      .Set("what", is_sweep ? "pass " + std::to_string(phase.number) : "epilogue " + phase.when)
      .Set("reductions", is_sweep ? text.Reductions(phase, unit) : "")
      .Set("takes", is_sweep ? "" : ForParts(phase, unit + ".TakeParts"))
      .Set("body", body)
      .Set("keeps", is_sweep ? ForParts(phase, unit + ".KeepPart") : "");
  return RenderTemplate("common/phase.tmpl.map.inc", values);
}

/// "channel.TakeParts(plan.kept.mean_sum, mean_sum);": a call of `word` for each reduction.
std::string LaunchedPhases::ForParts(const PhaseText &phase, const std::string &word) const {
  std::vector<std::string> lines;
  for (const int i : phase.reductions) {
    const std::string &name = rule_.reduction_name(i);
    lines.push_back(word + "(plan.kept." + name + ", " + name + ");");
  }
  return Join(lines, "\n");
}

std::string LaunchedText(const PlanText &rule, const LaunchedFunction &function) {
  const Skeleton &skeleton = SkeletonOf(rule.plan());
  Values values;
  values.Set("rule", rule.rule())
      .Set("template", BodyTemplate(rule, skeleton.function))
      .Set("function", rule.Function(skeleton.function))
      .Set("what", skeleton.what)
      .Set("type", skeleton.function)
      .Set("unit", skeleton.unit)
      .Set("lanes", NamesLanes(function.values) || NamesLanes(function.body))
      .Set("scalars", rule.steps_use_scalars() ? kScalars : "")
      .Set("values", function.values)
      .Set("body", function.body);
  return RenderTemplate("common/launched.tmpl.map.inc", values);
}

}  // namespace mgen
