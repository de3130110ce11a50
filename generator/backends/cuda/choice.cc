// SPDX-License-Identifier: Apache-2.0
// adamw.gen.cu: the functions that choose a kernel's variant and launch it.
#include <algorithm>

#include "backends/cuda/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {
namespace {

/// The types of the operands that a kernel accesses in vectors.
std::string VectorTypes(const PlanText &rule) {
  std::vector<std::string> types;
  for (const Operand &operand : rule.plan().operands) {
    if (operand.is_temporary) continue;
    const std::string name = rule.TypeName(operand.type);
    const bool known = std::find(types.begin(), types.end(), name) != types.end();
    if (!operand.axes.is_uniform() && !known) types.push_back(name);
  }
  return Join(types, ", ");
}

/// The line that tests whether a launch can access all operands in vectors.
std::string InVectors(const PlanText &rule) {
  const Plan &plan = rule.plan();
  const Skeleton &skeleton = SkeletonOf(plan);
  std::vector<std::string> args = {"plan.rows"};
  if (!IsTuned(plan)) args = {skeleton.elements, skeleton.cols};
  for (int i : rule.Tensors()) {
    if (!plan.operands[i].axes.is_uniform() && !plan.ViewOf(i)) {
      args.push_back("plan." + rule.operand_name(i));
    }
  }
  const std::string asked = IsTuned(plan) ? "IsAligned" : "TakesVectors";
  const std::string alone = plan.takes_leaves ? "plan.parts.count == 0 && " : "";
  return RenderList("const bool in_vectors = " + alone + "mshadow::cuda::" + asked + "<N>(", args,
                    ");", kLineWidth - 2);
}

/// The members for values that one launch leaves for a later one: "&Kept::mean".
std::vector<std::string> KeptValues(const PlanText &rule) {
  const Plan &plan = rule.plan();
  std::vector<std::string> kept;
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const int operand = static_cast<int>(i);
    if (!plan.operands[i].is_temporary || !plan.IsKept(operand)) continue;
    kept.push_back("&Kept::" + rule.operand_name(operand));
  }
  return kept;
}

/// These members, and those for partial sums: "&Kept::mean_sum".
std::vector<std::string> KeptMembers(const PlanText &rule) {
  std::vector<std::string> kept;
  if (!rule.plan().schedule.has_chunks()) return kept;
  for (size_t i = 0; i < rule.plan().reductions.size(); ++i) {
    kept.push_back("&Kept::" + rule.reduction_name(i));
  }
  return Append(kept, KeptValues(rule));
}

/// Which phases are passes over the elements: "{true, false}".
std::string PassesText(const Plan &plan) {
  std::vector<std::string> phases;
  for (const Phase &phase : plan.phases) phases.emplace_back(phase.is_sweep ? "true" : "false");
  return "{" + Join(phases, ", ") + "}";
}

/// \param lanes the elements of a vector; "" if the kernel does not depend on them
std::string LaunchText(const PlanText &rule, const std::string &lanes) {
  const Plan &plan = rule.plan();
  const Skeleton &skeleton = SkeletonOf(plan);
  std::string function = "Launch";
  std::vector<std::string> args = {"\"" + rule.rule() + "\"", "kernel"};
  if (IsTuned(plan)) {
    args.insert(args.end(), {Tuning(rule), "N * V"});
  } else {
    function = skeleton.gpu_launch + (lanes.empty() ? "" : "<" + lanes + ">");
  }
  args.insert(args.end(), {"plan", "stream"});
  if (plan.leaves) args.emplace_back("plan.has_leaves ? mshadow::kColumnLeaf : 1");
  if (plan.schedule.has_chunks()) {
    args.push_back(PassesText(plan));
    args = Append(args, KeptMembers(rule));
  }
  return RenderList("mshadow::cuda::" + function + "(", args, ");", kLineWidth - 2);
}

/// The launch of the other phases if another kernel has computed the leaves. They read little, so
/// the threads take single columns.
std::string LaunchAfterLeaves(const PlanText &rule) {
  const std::vector<std::string> args = {"\"" + rule.rule() + "\"", "kernel", "plan", "stream",
                                         PassesText(rule.plan())};
  std::vector<std::string> kept;
  for (size_t i = 0; i < rule.plan().reductions.size(); ++i) {
    if (rule.plan().IsInFirstPhase(static_cast<int>(i))) continue;
    kept.push_back("&Kept::" + rule.reduction_name(i));
  }
  kept = Append(kept, KeptValues(rule));
  return RenderList("return mshadow::cuda::LaunchAfterLeaves(", Append(args, kept), ");",
                    kLineWidth - 4);
}

/// The statements that launch a kernel whose variant for vectors of N elements is a function of its
/// own: they choose between that for the widest vectors and that for single elements.
std::string WidestText(const PlanText &rule) {
  const Plan &plan = rule.plan();
  const auto start = [&](const std::string &lanes) {
    return "Start" + rule.Function("") + TemplateArgs(Append({lanes}, rule.type_params())) +
           "(plan, stream);";
  };
  Values values;
  values.Set("in_vectors", InVectors(rule))
      .Set("vector_types", VectorTypes(rule))
      .Set("lanes", IsTuned(plan) ? Tuning(rule) + ".lanes" : std::to_string(plan.schedule.lanes))
      .Set("start_vectors", start("N"))
      .Set("start_single", start("1"));
  return RenderTemplate("cuda/widest.tmpl.gen.cu", values);
}

/// The statements that choose a kernel's variant by the conditions, and launch it.
std::string ChosenText(const PlanText &rule) {
  const Plan &plan = rule.plan();
  const bool in_vectors = TakesVectors(plan);
  std::vector<std::string> sizes = SkeletonOf(plan).gpu_sizes;
  if (!in_vectors) sizes.assign(sizes.size(), "1");  // a vector of one element
  const std::string lanes = sizes.empty() ? "" : sizes[0];
  if (plan.leaves) sizes.emplace_back("kHasLeaves");
  Values values;
  values.Set("is_tuned", IsTuned(plan))
      .Set("tuning", Tuning(rule))
      .Set("kernel", ChosenKernel(rule, sizes))
      .Set("plan_type", rule.PlanType())
      .Set("keeps", !KeptMembers(rule).empty())
      .Set("takes_leaves", plan.takes_leaves)
      .Set("after_leaves", plan.takes_leaves ? LaunchAfterLeaves(rule) : "")
      .Set("for_leaves", in_vectors ? "N == 1 && plan.parts.count > 0" : "plan.parts.count > 0")
      .Set("launch", LaunchText(rule, lanes));
  return RenderTemplate("cuda/chosen.tmpl.gen.cu", values);
}

}  // namespace

bool TakesVectors(const Plan &plan) {
  return IsTuned(plan) || (!SkeletonOf(plan).gpu_sizes.empty() && plan.schedule.lanes > 1);
}

std::string StartText(const PlanText &rule) {
  Values values;
  values.Set("rule", rule.rule())
      .Set("template", TemplateLine(Append({"int N"}, rule.TypenameParams())))
      .Set("signature", StartSignature(rule, "Start" + rule.Function("")))
      .Set("launch", ChosenText(rule));
  return RenderTemplate("cuda/start.tmpl.gen.cu", values);
}

std::string EntryText(const PlanText &rule) {
  std::vector<std::string> instances;
  if (!rule.type_params().empty()) {
    for (const PlanText::Instance &instance : rule.Instances()) {
      instances.push_back(RenderList(
          "MSHADOW_KERNEL_INSTANCE(",
          {"Launch" + rule.rule() + "Kernel", rule.RuleType(), rule.PlanTypes(instance)}, ");"));
    }
  }
  const bool by_phase = SkeletonOf(rule.plan()).by_phase;
  const auto launch = by_phase                    ? LaunchAllText
                      : TakesVectors(rule.plan()) ? WidestText
                                                  : ChosenText;
  Values values;
  values.Set("what", rule.rule() + (by_phase ? "'s kernels, one for each pass or epilogue," : ""))
      .Set("template", TemplateLine(rule.TypenameParams()))
      .Set("signature", rule.LaunchKernelSignature() + " {")
      .Set("launch", launch(rule))
      .Set("instances", Join(instances, "\n"));
  return RenderTemplate("cuda/entry.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
