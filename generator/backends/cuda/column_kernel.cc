// SPDX-License-Identifier: Apache-2.0
// batch_norm.gen.cu: the kernel of a rule that reduces columns, and its launch.
#include "backends/common/row_text.h"
#include "backends/common/step_text.h"
#include "backends/cuda/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {
namespace {

/// The values of the thread's column: those that a tensor holds are read.
std::string ColumnLocals(const PlanText &rule) {
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
      lines.push_back(rule.PacketType(operand.type) + " " + name + ";");
    }
  }
  return Join(lines, "\n");
}

std::string ColumnStores(const PlanText &rule) {
  std::vector<std::string> lines;
  for (int i : rule.Tensors()) {
    const Operand &operand = rule.plan().operands[i];
    if (operand.map != IndexMap::kRow || operand.store.never()) continue;
    const std::string &name = rule.operand_name(i);
    lines.push_back(GuardedLine(rule, operand.store,
                                "Store(plan." + name + ".row(0) + x, " + name + ", AllLanes());"));
  }
  return Join(lines, "\n");
}

std::string ColumnPhaseBody(const PlanText &rule, const PhaseText &phase) {
  if (!phase.phase->is_sweep) {
    return PhaseCallText(
               rule, phase,
               {"N", "plan.scalars", "", ".FinishColumn()", "LanesAt({0, x}, AllLanes())", "", 4}) +
           "\n";
  }
  std::vector<std::string> declarations;
  for (int i : phase.reductions) {
    declarations.push_back("mshadow::cuda::" + ReductionType(rule, i) + "> " +
                           rule.reduction_name(i) + "(team);");
  }
  Values values;
  values.Set("reductions", Join(declarations, "\n"))
      .Set("begin", ForReductions(rule, phase, ".Begin();"))
      .Set("rows", SweepLocals(rule, phase, "y"))
      .Set("step", PhaseCallText(rule, phase,
                                 {"N", "plan.scalars", "x", ".part()", "{y, x}", "AllLanes()", 8}))
      .Set("push", ForReductions(rule, phase, ".Push(leaf);"));
  return RenderTemplate("cuda/column_sweep.tmpl.gen.cu", values);
}

}  // namespace

std::string ColumnKernelText(const PlanText &rule) {
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  std::vector<std::string> phases;
  for (const PhaseText &phase : PhasesOf(rule)) phases.push_back(ColumnPhaseBody(rule, phase));
  const std::string stores = ColumnStores(rule);
  Values values;
  values.Set("rule", rule.rule())
      .Set("kernel_template", TemplateLine(params))
      .Set("function", rule.Function("Kernel"))
      .Set("plan_type", rule.PlanType())
      .Set("locals", ColumnLocals(rule))
      .Set("phases", Join(phases, ""))
      .Set("has_stores", !stores.empty())
      .Set("sync", SyncBeforeStores(rule))
      .Set("stores", stores);
  return RenderTemplate("cuda/column_kernel.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
