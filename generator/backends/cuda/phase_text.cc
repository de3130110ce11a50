// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/phase_text.h"

#include <algorithm>

#include "backends/cuda/pieces.h"
#include "emit/layout.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {
namespace {

bool Reads(const PhaseText &phase, int operand) {
  const std::vector<Phase::Use> &values = phase.phase->values;
  return std::any_of(values.begin(), values.end(),
                     [operand](const Phase::Use &use) { return use.index == operand && use.load; });
}

bool IsInMemory(const Plan &plan, int operand) {
  return !plan.operands[operand].is_temporary || plan.IsKept(operand);
}

}  // namespace

bool PhaseTexts::IsReadBehind(int phase, int operand) const {
  return std::any_of(phases_.begin() + phase + 1, phases_.end(),
                     [operand](const PhaseText &behind) { return Reads(behind, operand); });
}

/// Where a value is between launches.
std::string PhaseTexts::Place(int operand) const {
  const std::string &name = rule_.operand_name(operand);
  if (rule_.plan().operands[operand].is_temporary) return "plan.kept." + name + " + " + index_;
  return "plan." + name +
         (rule_.plan().by_channel() ? ".row(" + index_ + ")" : ".row(0) + " + index_);
}

std::string PhaseTexts::Load(int operand) const {
  if (!rule_.plan().by_channel()) return "Load<N>(" + Place(operand) + ", AllLanes())";
  const bool is_kept = rule_.plan().operands[operand].is_temporary;
  return "Broadcast<N>(" +
         (is_kept ? "plan.kept." + rule_.operand_name(operand) + "[" + index_ + "]"
                  : "*" + Place(operand)) +
         ")";
}

/// A value that a phase gives: another launch may have done that.
std::string PhaseTexts::GivenLocal(int operand) const {
  const std::string &name = rule_.operand_name(operand);
  std::string text = rule_.PacketType(rule_.plan().operands[operand].type) + " " + name + ";";
  const auto gives = [operand](const PhaseText &phase) { return phase.given.count(operand) != 0; };
  const int giving =
      static_cast<int>(std::find_if(phases_.begin(), phases_.end(), gives) - phases_.begin());
  if (giving == static_cast<int>(phases_.size()) || !IsReadBehind(giving, operand)) return text;
  if (rule_.plan().by_plane() || !IsInMemory(rule_.plan(), operand)) return text;
  return text + "\nif (team.is_behind(" + std::to_string(giving) + ")) " + name + " = " +
         Load(operand) + ";";
}

std::string PhaseTexts::Locals() const {
  const Plan &plan = rule_.plan();
  std::vector<std::string> lines;
  for (size_t n = 0; n < plan.operands.size(); ++n) {
    const int i = static_cast<int>(n);
    const Operand &operand = plan.operands[i];
    if (operand.map == ValueMap(plan.frame) && !operand.load) {
      lines.push_back(GivenLocal(i));
    } else if (operand.map == ValueMap(plan.frame)) {
      lines.push_back((rule_.IsWritten(i) ? "auto " : "const auto ") + rule_.operand_name(i) +
                      " = " + Load(i) + ";");
    } else if (operand.map == IndexMap::kOne) {
      lines.push_back("const auto " + rule_.operand_name(i) + " = Broadcast<N>(*plan." +
                      rule_.operand_name(i) + ".row(0));");
    }
  }
  return Join(lines, "\n");
}

/// "team.does(1) || team.does(3)": the launches that give a value.
std::string PhaseTexts::Giving(int operand, const char *does) const {
  std::vector<std::string> terms;
  for (size_t i = 0; i < phases_.size(); ++i) {
    if (phases_[i].given.count(operand) == 0) continue;
    terms.push_back("team." + std::string(does) + "(" + std::to_string(i) + ")");
  }
  return Join(terms, " || ");
}

std::string PhaseTexts::Stores() const {
  const Plan &plan = rule_.plan();
  std::vector<std::string> lines;
  if (plan.by_plane()) return "";
  for (size_t n = 0; n < plan.operands.size(); ++n) {
    const int i = static_cast<int>(n);
    const Operand &operand = plan.operands[i];
    if (operand.map != ValueMap(plan.frame) || operand.store.never()) continue;
    if (!IsInMemory(plan, i)) continue;
    const std::string lanes = plan.by_channel() ? "FirstLanes{1}" : "AllLanes()";
    const std::string store =
        "Store(" + Place(i) + ", " + rule_.operand_name(i) + ", " + lanes + ");";
    lines.push_back("if (" + Giving(i, operand.is_temporary ? "does_only" : "does") + ") {\n  " +
                    GuardedLine(rule_, operand.store, store) + "\n}");
  }
  return Join(lines, "\n");
}

std::string PhaseTexts::Reductions(const PhaseText &phase) const {
  std::vector<std::string> declarations;
  for (int i : phase.reductions) {
    declarations.push_back("mshadow::cuda::" + ReductionType(rule_, i) + "> " +
                           rule_.reduction_name(i) + "(team);\n");
  }
  return Join(declarations, "");
}

/// What a launch of one phase does with the parts of its reductions.
std::string PhaseTexts::ForParts(const PhaseText &phase) const {
  std::vector<std::string> lines;
  for (int i : phase.reductions) {
    const std::string &name = rule_.reduction_name(i);
    const std::string kept = "plan.kept." + name;
    lines.push_back(phase.phase->is_sweep
                        ? name + ".FinishPart(team.at(" + kept + ", team.part()));"
                        : "mshadow::cuda::TakeParts(team, " + kept + ", &" + name + ");");
  }
  return Join(lines, "\n");
}

std::string PhaseTexts::Bodies(const std::vector<std::string> &bodies) const {
  std::string text;
  for (size_t i = 0; i < phases_.size(); ++i) {
    const PhaseText &phase = phases_[i];
    const std::string head = phase.phase->is_sweep ? Reductions(phase) : "";
    if (rule_.plan().by_plane()) {
      text += head + bodies[i];
      continue;
    }
    const bool reduces = !phase.reductions.empty();
    Values values;
    values.Set("phase", std::to_string(i))
        .Set("parts", ForParts(phase))
        .Set("takes", reduces && !phase.phase->is_sweep)
        .Set("leaves", reduces && phase.phase->is_sweep)
        .Set("body", bodies[i]);
    text += head + RenderTemplate("cuda/phase.tmpl.gen.cu", values);
  }
  return text;
}

std::string PhaseChoiceText(const PlanText &rule, const std::string &function) {
  const Plan &plan = rule.plan();
  std::vector<std::string> phases, kept;
  for (const Phase &phase : plan.phases) phases.emplace_back(phase.is_sweep ? "true" : "false");
  for (size_t i = 0; i < plan.reductions.size(); ++i) {
    kept.push_back("&Kept::" + rule.reduction_name(i));
  }
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const int operand = static_cast<int>(i);
    if (!plan.operands[i].is_temporary || !plan.IsKept(operand)) continue;
    kept.push_back("&Kept::" + rule.operand_name(operand));
  }
  std::vector<std::string> args = {"\"" + rule.rule() + "\"", "kernel", "plan", "stream",
                                   "{" + Join(phases, ", ") + "}"};
  args.insert(args.end(), kept.begin(), kept.end());
  Values values;
  values.Set("rule", rule.rule())
      .Set("template", TemplateLine(rule.TypenameParams()))
      .Set("start", "Start" + rule.Function(""))
      .Set("plan_type", rule.PlanType())
      .Set("kernel", ChosenKernel(rule, {}))
      .Set("keeps", !kept.empty())
      .Set("launch", RenderList("mshadow::cuda::" + function + "(", args, ");", kLineWidth - 2));
  return RenderTemplate("cuda/phase_choice.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
