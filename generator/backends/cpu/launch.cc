// SPDX-License-Identifier: Apache-2.0
// adamw.gen.cc: the code of one rule between the launcher's arguments and the loops.
#include <algorithm>
#include <limits>
#include <set>

#include "backends/common/call_text.h"
#include "backends/common/kernel_body.h"
#include "backends/common/view_text.h"
#include "backends/cpu/instruction_set.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// How often elements of a type are moved.
using Moved = std::vector<std::pair<std::string, int>>;

void Add(const std::string &type, int times, Moved *moved) {
  const auto same = [&](const auto &entry) { return entry.first == type; };
  auto entry = std::find_if(moved->begin(), moved->end(), same);
  if (entry == moved->end()) entry = moved->insert(moved->end(), {type, 0});
  entry->second += times;
}

Moved MovedBy(const PlanText &rule) {
  Moved moved;
  for (const Operand &operand : rule.plan().operands) {
    if (operand.is_temporary || !operand.axes.is_every()) continue;
    Add(rule.TypeName(operand.type), operand.load + !operand.store.never(), &moved);
  }
  return moved;
}

Moved MovedBy(const PlanText &rule, const Phase &sweep) {
  Moved moved;
  for (const Phase::Use &use : sweep.operands) {
    Add(rule.TypeName(rule.plan().operands[use.index].type), use.load + !use.store.never(), &moved);
  }
  return moved;
}

/// "2 * sizeof(DType) + 4 * sizeof(float)": the bytes that are moved for an element. A sweep over a
/// broadcast moves none, but takes time: "1".
std::string Bytes(const Moved &moved) {
  std::vector<std::string> terms;
  for (const auto &[type, times] : moved) {
    if (times == 0) continue;
    terms.push_back((times == 1 ? "" : std::to_string(times) + " * ") + "sizeof(" + type + ")");
  }
  return terms.empty() ? "1" : Join(terms, " + ");
}

/// The same as a factor of a number of elements.
std::string BytesFactor(const std::string &bytes, const std::string &type = "index_t") {
  return bytes == "1" ? bytes : type + "(" + bytes + ")";
}

}  // namespace

std::string ElementBytes(const PlanText &rule) {
  return BytesFactor(Bytes(MovedBy(rule)), "int64_t");
}

namespace {

/// The loops of a rule that reduces everything, and their calls, one phase after the other.
std::string RunPhases(const PlanText &rule, const EmitOptions &options) {
  std::vector<std::string> loops, calls;
  for (const PhaseText &phase : PhasesOf(rule)) {
    const std::string name =
        (phase.phase->is_sweep ? "sweep" : "once") + std::to_string(phase.number);
    loops.push_back(ChosenLoop(rule, options, name, PhaseSuffix(phase) + "Loop"));
    if (!phase.phase->is_sweep) {
      calls.push_back("mshadow::ParallelFor(1, 0, " + name + ", &run);");
      continue;
    }
    const std::string bytes = "run.parts.part * " + BytesFactor(Bytes(MovedBy(rule, *phase.phase)));
    calls.push_back(RenderList("mshadow::ParallelFor(",
                               {"run.parts.count", bytes, name, "&run", "1"}, ");",
                               kLineWidth - 2));
  }
  return Join(Append(loops, calls), "\n");
}

/// The call that runs the phases of a rule that reduces columns.
std::string RunColumns(const PlanText &rule) {
  std::vector<std::string> phases;
  for (const Phase &phase : rule.plan().phases) {
    phases.push_back(phase.is_sweep ? "{true, " + Bytes(MovedBy(rule, phase)) + "}" : "{false, 0}");
  }
  std::vector<std::string> args = {"loop",      "&run",         "&run.launch",
                                   "run.parts", "plan.columns", "{" + Join(phases, ", ") + "}"};
  if (rule.plan().takes_leaves) args.emplace_back("has_leaves");
  return RenderList("mshadow::RunColumns(", args, ");", kLineWidth - 2);
}

/// The bytes that the first sweep of such a rule moves for an element. It decides the chunks, which
/// later sweeps use, too.
std::string ColumnBytes(const PlanText &rule) {
  const std::vector<Phase> &phases = rule.plan().phases;
  const auto sweep =
      std::find_if(phases.begin(), phases.end(), [](const Phase &phase) { return phase.is_sweep; });
  return Bytes(MovedBy(rule, *sweep));
}

/// The lines that set the chunks of its rows. If another kernel has computed leaves, each leaf is a
/// chunk.
std::string SetParts(const PlanText &rule) {
  const std::string set =
      "run.parts = mshadow::MakeRowParts(plan.columns, " + ColumnBytes(rule) + ");";
  if (!rule.plan().takes_leaves) return set;
  return "const bool has_leaves = plan.parts.count > 0;\nif (!has_leaves) " + set;
}

/// The lines that take memory for partial sums and values of such a rule.
std::string TakeKept(const PlanText &rule) {
  const Plan &plan = rule.plan();
  std::vector<std::string> lines, of_leaves, of_parts;
  for (size_t i = 0; i < plan.reductions.size(); ++i) {
    const bool is_leaf = plan.takes_leaves && plan.IsInFirstPhase(static_cast<int>(i));
    (is_leaf ? of_leaves : of_parts)
        .push_back("run.kept." + rule.reduction_name(i) + " = memory.Take<" +
                   rule.TypeName(plan.reductions[i].type) +
                   ">(run.parts.count * plan.columns.size());");
  }
  const auto add = [&](const std::string &condition, const std::vector<std::string> &takes) {
    if (takes.empty()) return;
    lines.push_back("if (" + condition + ") {\n  " + Join(takes, "\n  ") + "\n}");
  };
  add("run.parts.count > 1 && !has_leaves", of_leaves);
  add(plan.takes_leaves ? "run.parts.count > 1 || has_leaves" : "run.parts.count > 1", of_parts);
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    if (!plan.operands[i].is_temporary || !plan.IsKept(i)) continue;
    lines.push_back("run.kept." + rule.operand_name(i) + " = memory.Take<" +
                    rule.TypeName(plan.operands[i].type) + ">(plan.columns.size());");
  }
  return Join(lines, "\n");
}

/// The tensors whose extents are those of the rule's temporaries.
std::vector<int> ShapesOfWorkspaces(const Rule &rule) {
  std::vector<int> tensors;
  for (const Param &param : rule.params) {
    if (!param.is_workspace) continue;
    if (param.shape_of >= 0) tensors.push_back(param.shape_of);
    for (const Expr &extent : param.extents) {
      ForEachNode(extent, [&tensors](const Expr &node) {
        if (node->op == Op::kDim) tensors.push_back(node->index);
      });
    }
  }
  return tensors;
}

}  // namespace

std::vector<int> TensorParams(const PlanText &rule) {
  std::vector<int> params;
  const auto add = [&](int tensor) {
    const std::optional<View> &view = rule.plan().rule.params[tensor].view;
    for (int param : view ? view->Arguments() : std::vector<int>{tensor}) {
      if (std::find(params.begin(), params.end(), param) == params.end()) params.push_back(param);
    }
  };
  for (const Operand &operand : rule.plan().operands) {
    if (!operand.is_temporary) add(operand.param);
  }
  for (const auto &[tensor, used] : rule.plan().Beside()) add(tensor);
  for (const Fitting &fits : rule.plan().fitting) add(fits.tensor->index);
  for (const SameShape &same : rule.plan().same_shapes) {
    for (const int tensor : same.tensors) add(tensor);
  }
  // A rule in stages makes its temporaries, so it needs the tensors whose shapes these have.
  if (!rule.plan().stages.empty()) {
    const Rule &r = rule.plan().rule;
    for (int tensor : ShapesOfWorkspaces(r)) {
      if (!r.params[tensor].is_workspace) add(tensor);
    }
  }
  return params;
}

std::string KernelDeclarationText(const PlanText &rule) {
  const std::string line = TemplateLine(rule.TypenameParams());
  return line + (line.empty() ? "" : "\n") + rule.LaunchKernelSignature() + ";";
}

namespace {

/// The LoopWork: a loop and its range. If a kernel over rows computes leaves, a thread takes all
/// rows of a leaf.
std::string WorkReturn(const PlanText &rule) {
  if (!rule.plan().leaves) return "return {" + SkeletonOf(rule.plan()).cpu_range + "};";
  return RenderList(
      "return {",
      {"loop", "plan.rows", "plan.cols * kBytes", "plan.has_leaves ? mshadow::kColumnLeaf : 1"},
      "};", kLineWidth - 2);
}

/// The first line of the function that makes the Plan of a stage's kernel.
std::string PlanSignature(const PlanText &rule) {
  std::vector<std::string> params = {"xpu device"};
  for (int i : TensorParams(rule)) {
    params.push_back(TensorArg(rule.TypeName(rule.plan().rule.params[i].type)) +
                     rule.param_name(i));
  }
  if (rule.has_scalars()) params.push_back("const " + rule.ScalarsType() + " &s");
  params.push_back(rule.PlanType() + " *to");
  return RenderList("mshadow::LaunchShape Plan" + rule.rule() + "(", params, ") {");
}

std::string WorkSignature(const PlanText &rule) {
  return RenderList("mshadow::LoopWork " + WorkFunction(rule) + "(",
                    {"const " + rule.PlanType() + " &plan"}, ") {");
}

/// Whether the launcher reads elements in order to check them.
bool LooksAtData(const PlanText &rule) {
  return rule.plan().uses_views || !RowChecks(rule).empty() || !ColumnChecks(rule).empty();
}

/// Whether the Plans of several calls can share scalars: these do not depend on tensors, and the
/// rule has no views or slices, which may depend on scalars.
bool SharesScalars(const PlanText &rule) {
  if (rule.plan().uses_views || !PartLines(rule).empty()) return false;
  const std::vector<int> params = PrepareParams(rule);
  const auto is_tensor = [&](int i) { return rule.plan().rule.params[i].is_tensor; };
  return rule.has_scalars() && std::none_of(params.begin(), params.end(), is_tensor);
}

/// `mshadow::TakesScalars(device, s, s.nesterov)`: whether a list takes only the scalars. The
/// conditions are those that choose a loop or a kernel.
std::string TakesScalars(const PlanText &rule) {
  std::vector<std::string> args = {"device", "s"};
  for (size_t i = 0; i < rule.plan().conditions.size(); ++i) {
    args.push_back("s." + rule.condition_member(i));
  }
  return RenderList("if (mshadow::TakesScalars(", args, ")) return;", kLineWidth - 2);
}

/// Whether a loop can go on with the next Plan in memory: the body uses only the operands of a
/// Plan, and scalars that all Plans share.
bool IsChained(const PlanText &rule) {
  return rule.plan().kept.is_every() && !rule.plan().uses_views &&
         (!rule.has_scalars() || SharesScalars(rule));
}

/// Whether a launch is one call of a loop.
bool IsOneLoop(const PlanText &rule) { return !SkeletonOf(rule.plan()).cpu_range.empty(); }

/// Whether a function runs a Plan on a CPU. Otherwise a LoopWork says all.
bool HasCpuFunction(const PlanText &rule) { return !IsOneLoop(rule) || !FoldText(rule).empty(); }

std::string CpuFunction(const PlanText &rule) { return "Run" + rule.rule() + "OnCpu"; }

/// `mshadow::PlanTraits().Chained().Shares(plan.scalars)`: what a list may do with Plans. "": it
/// may do nothing with them but run each of them once, and rules of several stages are never asked.
std::string TraitsText(const PlanText &rule, const std::string &plan) {
  if (rule.plan().is_stage()) return "";
  std::string traits;
  if (!HasCpuFunction(rule) && IsChained(rule)) traits += ".Chained()";
  if (LooksAtData(rule)) traits += ".LooksAtData()";
  if (SharesScalars(rule)) traits += ".Shares(" + plan + ".scalars)";
  return traits.empty() ? "" : "mshadow::PlanTraits()" + traits;
}

}  // namespace

std::string WorkFunction(const PlanText &rule) { return "WorkOf" + rule.rule(); }

std::string RunPlanCall(const PlanText &rule, const EmitOptions &options, const std::string &plan,
                        const std::string &stream, int width) {
  const std::string types = TemplateArgs(rule.type_params());
  const std::string on_cpu = HasCpuFunction(rule) ? CpuFunction(rule) : WorkFunction(rule);
  const std::string on_gpu = "MSHADOW_IN_CUDA(Launch" + rule.rule() + "Kernel" + types + ")";
  std::vector<std::string> args = {"device", "\"" + rule.plan().title() + "\"", plan, stream,
                                   options.cuda ? on_gpu : "nullptr"};
  const std::string traits = TraitsText(rule, plan);
  if (!traits.empty()) args.push_back(traits);
  return RenderList("mshadow::RunPlan<" + on_cpu + types + ">(", args, ");", width);
}

namespace {

/// Sets how a launch runs the kernel: by a loop for each phase, by one loop which it calls for each
/// phase, or by one call of a loop.
void SetRunValues(const PlanText &rule, const EmitOptions &options, Values *values) {
  const Skeleton &skeleton = SkeletonOf(rule.plan());
  const bool by_phase = skeleton.by_phase, in_one = IsOneLoop(rule);
  const bool in_chunks = !by_phase && !in_one;
  values->Set("by_phase", by_phase)
      .Set("run_phases", by_phase ? RunPhases(rule, options) : "")
      .Set("chosen_loop", by_phase ? "" : ChosenLoop(rule, options, "loop", "Loop"))
      .Set("in_chunks", in_chunks)
      .Set("run_chunks", in_chunks ? RunColumns(rule) : "")
      .Set("set_parts", in_chunks ? SetParts(rule) : "")
      .Set("kept", in_chunks ? TakeKept(rule) : "")
      .Set("in_one", in_one)
      .Set("work", WorkFunction(rule))
      .Set("work_signature", WorkSignature(rule))
      .Set("work_return", WorkReturn(rule))
      .Set("runs", HasCpuFunction(rule))
      .Set("folds", !FoldText(rule).empty())
      .Set("fold", FoldText(rule));
}

}  // namespace

std::string RunText(const PlanText &rule, const EmitOptions &options) {
  const std::vector<std::string> types = rule.TypenameParams();
  const std::string s = rule.has_scalars() && !rule.plan().is_stage() ? PrepareCall(rule, "s") : "";
  const Skeleton &skeleton = SkeletonOf(rule.plan());
  Values values;
  SetRunValues(rule, options, &values);
  values.Set("rule", rule.rule())
      .Set("title", rule.plan().title())
      .Set("is_stage", rule.plan().is_stage())
      .Set("is_whole", !rule.plan().is_stage())
      .Set("plan_signature", PlanSignature(rule))
      .Set("has_scalars", rule.has_scalars())
      .Set("prepare", PrepareText(rule))
      .Set("template", TemplateLine(types))
      .Set("plan_type", rule.PlanType())
      .Set("cpu_signature", RenderList("void " + CpuFunction(rule) + "(",
                                       {"const " + rule.PlanType() + " &plan"}, ") {"))
      .Set("takes_scalars", SharesScalars(rule))
      .Set("takes", TakesScalars(rule))
      .Set("is_expression", rule.plan().rule.is_expression)
      .Set("here_signature",
           RenderList("void RunHere(", {"const " + rule.PlanType() + " &plan"}, ") {"))
      .Set("names_isa", NamesIsa(rule, options))
      .Set("chosen_isa", ChosenIsa(rule, options))
      .Set("bytes", Bytes(MovedBy(rule)))
      .Set("set_elements", skeleton.set_elements)
      .Set("plan_counts", !skeleton.plan_count.empty())
      .Set("plan_count", skeleton.plan_count)
      .Set("asks_for_shape", !skeleton.count.empty())
      .Set("count", skeleton.count)
      .Set("run_plan", RunPlanCall(rule, options, "plan", "shape.stream", kLineWidth - 2))
      .Set("run_template", TemplateLine(Append({"typename xpu"}, types)))
      .Set("run_signature", RenderList("void Run" + rule.rule() + "(",
                                       {"xpu device", "const " + ArgsType(rule) + " &args"}, ") {"))
      .Set("arguments", rule.plan().is_stage() ? "" : OpenArguments(rule, {s}))
      .Set("compares_shapes", !rule.plan().same_shapes.empty())
      .Set("shape_checks", ShapeChecks(rule))
      .Set("has_parts", !PartLines(rule).empty())
      .Set("parts", PartLines(rule))
      .Set("checks", Checks(rule))
      .Set("run_call", RunCall(rule))
      .Set("views", rule.plan().uses_views)
      .Set("view_checks", ViewChecks(rule))
      .Set("names_rows", !RowChecks(rule).empty())
      .Set("row_checks", RowChecks(rule))
      .Set("gathers", !ColumnChecks(rule).empty())
      .Set("column_checks", ColumnChecks(rule))
      .Set("plan_fields", PlanFields(rule));
  return RenderTemplate("cpu/rule.tmpl.gen.cc", values);
}

namespace {

/// The largest number of a signed integer type.
int64_t MaxOf(Type type) {
  return std::numeric_limits<int64_t>::max() >> (64 - 8 * Bytes(type.kind));
}

/// The checks of steps (MSHADOW_CHECK_STEP), which come before the first write.
std::string StepChecks(const PlanText &rule) {
  std::string lines;
  for (size_t i = 0; i < rule.plan().rule.signature().size(); ++i) {
    const Param &param = rule.plan().rule.params[i];
    if (!param.is_checked) continue;
    const bool is_narrowed = CallerType(param) != param.type;
    const std::string most = is_narrowed ? ", " + std::to_string(MaxOf(param.type)) : "";
    lines += "mshadow::detail::CheckStep(\"" + rule.rule() + "\", \"" + param.name + "\", " +
             "args." + rule.param_name(i) + most + ");\n";
  }
  return lines;
}

}  // namespace

std::string OpenArguments(const PlanText &rule, const std::vector<std::string> &scalars) {
  std::vector<std::string> lines;
  const std::string checks = StepChecks(rule);
  if (!checks.empty()) lines.push_back(checks.substr(0, checks.size() - 1));
  for (const std::string &line : scalars) {
    if (!line.empty()) lines.push_back(line);
  }
  for (const int i : TensorParams(rule)) {
    const std::string &name = rule.param_name(i);
    lines.push_back("const auto &" + name + " = args." + name + ";");
  }
  return Join(lines, "\n");
}

std::string LaunchText(const PlanText &rule) {
  const bool is_template = !rule.type_params().empty();
  std::vector<std::string> args = {"device", "args"}, instances;
  for (size_t i = 0; i < rule.plan().rule.signature().size(); ++i) {
    args.push_back("&" + (is_template ? "Args" : ArgsType(rule)) + "::" + rule.param_name(i));
  }
  const std::string run = "Run" + rule.rule() + TemplateArgs(Append({"xpu"}, rule.type_params()));
  for (const PlanText::Instance &instance : rule.Instances()) {
    instances.push_back(RenderList("MSHADOW_LAUNCHER_INSTANCE(",
                                   {"Launch" + rule.rule(), ArgsType(rule, instance)}, ");"));
  }
  Values values;
  values.Set("template", LaunchTemplate(rule))
      .Set("signature", LaunchSignature(rule) + " {")
      .Set("has_types", is_template)
      .Set("args_type", ArgsType(rule))
      .Set("call", RenderList("mshadow::LaunchCall<" + rule.rule() + "Rule, " + run + ">(", args,
                              ");", kLineWidth - 2))
      .Set("instances", Join(instances, "\n"));
  return RenderTemplate("cpu/launch.tmpl.gen.cc", values);
}

}  // namespace mgen
