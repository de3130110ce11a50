// SPDX-License-Identifier: Apache-2.0
// batch_norm.gen.cu: the kernel of a rule that reduces columns, and its launch.
#include <algorithm>

#include "backends/common/row_text.h"
#include "backends/common/step_text.h"
#include "backends/cuda/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {
namespace {

/// The first phase that gives a value; as many as there are if none does.
int FirstGiving(const std::vector<PhaseText> &phases, int operand) {
  const auto gives = [operand](const PhaseText &phase) { return phase.given.count(operand) != 0; };
  return static_cast<int>(std::find_if(phases.begin(), phases.end(), gives) - phases.begin());
}

bool Reads(const PhaseText &phase, int operand) {
  const std::vector<Phase::Use> &values = phase.phase->values;
  return std::any_of(values.begin(), values.end(),
                     [operand](const Phase::Use &use) { return use.index == operand && use.load; });
}

/// Where the values of columns are between launches.
std::string Vector(const PlanText &rule, int operand) {
  const std::string &name = rule.operand_name(operand);
  return rule.plan().operands[operand].is_temporary ? "plan.kept." + name
                                                    : "plan." + name + ".row(0)";
}

/// A value of the thread's column that a phase gives: another launch may have done that.
std::string GivenLocal(const PlanText &rule, const std::vector<PhaseText> &phases, int operand) {
  const Operand &what = rule.plan().operands[operand];
  const std::string &name = rule.operand_name(operand);
  std::string text = rule.PacketType(what.type) + " " + name + ";";
  const int giving = FirstGiving(phases, operand);
  bool is_read = false;
  for (size_t i = static_cast<size_t>(giving) + 1; i < phases.size(); ++i) {
    is_read = is_read || Reads(phases[i], operand);
  }
  if (!is_read || (what.is_temporary && !rule.plan().IsKept(operand))) return text;
  return text + "\nif (team.is_behind(" + std::to_string(giving) + ")) " + name + " = Load<N>(" +
         Vector(rule, operand) + " + x, AllLanes());";
}

/// The values of the thread's column: those that a tensor holds are read.
std::string ColumnLocals(const PlanText &rule, const std::vector<PhaseText> &phases) {
  const Plan &plan = rule.plan();
  std::vector<std::string> lines;
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const Operand &operand = plan.operands[i];
    const std::string &name = rule.operand_name(i);
    const std::string vector = "plan." + name + ".row(0)";
    const std::string access = rule.IsWritten(i) ? "auto " : "const auto ";
    if (operand.map == IndexMap::kOne) {
      lines.push_back("const auto " + name + " = Broadcast<N>(*" + vector + ");");
    } else if (operand.map == IndexMap::kRow && operand.load) {
      lines.push_back(access + name + " = Load<N>(" + vector + " + x, AllLanes());");
    } else if (operand.map == IndexMap::kRow) {
      lines.push_back(GivenLocal(rule, phases, static_cast<int>(i)));
    }
  }
  return Join(lines, "\n");
}

/// "team.does(1) || team.does(3)": the launches that give a value.
std::string Giving(const std::vector<PhaseText> &phases, int operand, const char *does) {
  std::vector<std::string> terms;
  for (size_t i = 0; i < phases.size(); ++i) {
    if (phases[i].given.count(operand) == 0) continue;
    terms.push_back("team." + std::string(does) + "(" + std::to_string(i) + ")");
  }
  return Join(terms, " || ");
}

std::string ColumnStores(const PlanText &rule, const std::vector<PhaseText> &phases) {
  const Plan &plan = rule.plan();
  std::vector<std::string> lines;
  for (size_t n = 0; n < plan.operands.size(); ++n) {
    const int i = static_cast<int>(n);
    const Operand &operand = plan.operands[i];
    if (operand.map != IndexMap::kRow || operand.store.never()) continue;
    if (operand.is_temporary && !plan.IsKept(i)) continue;
    const std::string store =
        "Store(" + Vector(rule, i) + " + x, " + rule.operand_name(i) + ", AllLanes());";
    const char *const does = operand.is_temporary ? "does_only" : "does";
    lines.push_back("if (" + Giving(phases, i, does) + ") {\n  " +
                    GuardedLine(rule, operand.store, store) + "\n}");
  }
  return Join(lines, "\n");
}

/// `call` of each of a phase's reductions with what is kept of its parts.
std::string ForParts(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (int i : phase.reductions) {
    const std::string &name = rule.reduction_name(i);
    const std::string kept = "plan.kept." + name;
    lines.push_back(phase.phase->is_sweep
                        ? name + ".FinishPart(team.at(" + kept + ", team.part()));"
                        : "mshadow::cuda::TakeParts(team, " + kept + ", &" + name + ");");
  }
  return Join(lines, "\n");
}

std::string ColumnPhaseBody(const PlanText &rule, const PhaseText &phase, size_t number) {
  Values values;
  values.Set("phase", std::to_string(number))
      .Set("reduces", !phase.reductions.empty())
      .Set("parts", ForParts(rule, phase));
  if (!phase.phase->is_sweep) {
    values.Set("call", PhaseCallText(rule, phase,
                                     {"N", "plan.scalars", "", ".FinishColumn()",
                                      "LanesAt({0, x}, AllLanes())", "", 6}));
    return RenderTemplate("cuda/column_once.tmpl.gen.cu", values);
  }
  std::vector<std::string> declarations;
  for (int i : phase.reductions) {
    declarations.push_back("mshadow::cuda::" + ReductionType(rule, i) + "> " +
                           rule.reduction_name(i) + "(team);");
  }
  values.Set("reductions", Join(declarations, "\n"))
      .Set("begin", ForReductions(rule, phase, ".Begin();"))
      .Set("rows", SweepLocals(rule, phase, "y"))
      .Set("step", PhaseCallText(rule, phase,
                                 {"N", "plan.scalars", "x", ".part()", "{y, x}", "AllLanes()", 10}))
      .Set("push", ForReductions(rule, phase, ".Push(leaf);"));
  return RenderTemplate("cuda/column_sweep.tmpl.gen.cu", values);
}

}  // namespace

std::string ColumnKernelText(const PlanText &rule) {
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  const std::vector<PhaseText> phases = PhasesOf(rule);
  std::vector<std::string> bodies;
  for (size_t i = 0; i < phases.size(); ++i) {
    bodies.push_back(ColumnPhaseBody(rule, phases[i], i));
  }
  const std::string stores = ColumnStores(rule, phases);
  Values values;
  values.Set("rule", rule.rule())
      .Set("kernel_template", TemplateLine(params))
      .Set("function", rule.Function("Kernel"))
      .Set("plan_type", rule.PlanType())
      .Set("locals", ColumnLocals(rule, phases))
      .Set("phases", Join(bodies, ""))
      .Set("has_stores", !stores.empty())
      .Set("sync", SyncBeforeStores(rule))
      .Set("stores", stores);
  return RenderTemplate("cuda/column_kernel.tmpl.gen.cu", values);
}

std::string ColumnChoiceText(const PlanText &rule) {
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
      .Set("launch", RenderList("mshadow::cuda::LaunchColumns(", args, ");", kLineWidth - 2));
  return RenderTemplate("cuda/column_choice.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
