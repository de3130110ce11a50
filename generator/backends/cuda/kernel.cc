// SPDX-License-Identifier: Apache-2.0
#include "backends/common/call_text.h"
#include "backends/cuda/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {

bool IsTuned(const Plan &plan) { return SkeletonOf(plan).gpu_launch.empty(); }

std::string Tuning(const PlanText &rule) { return "k" + rule.Function("Tuning"); }

std::string ChosenKernelOf(const PlanText &rule, const std::string &name,
                           const std::vector<std::string> &sizes) {
  const std::string kernel =
      "device::" + name + TemplateArgs(Append(ConditionArgs(rule, sizes), {"decltype(call)"}));
  std::vector<std::string> flags, args;
  for (size_t i = 0; i < rule.plan().conditions.size(); ++i) {
    flags.push_back("auto " + rule.condition_param(i));
    args.push_back("plan.scalars." + rule.condition_member(i));
  }
  if (rule.plan().leaves) {
    flags.emplace_back("auto kHasLeaves");
    args.emplace_back("plan.has_leaves");
  }
  if (flags.empty()) {
    // The longest line that has it is "  const auto kernel = …;".
    const std::string line = "[](auto call) { return " + kernel + "; }";
    if (line.size() + 23 <= kLineWidth) return line;
    return "[](auto call) {\n  return " + kernel + ";\n}";
  }
  const std::string head = "[](" + Join(flags, ", ") + ") {";
  const bool fits = head.size() + kernel.size() + 21 <= kLineWidth;  // and the indentation
  args.insert(args.begin(), head + (fits ? " return " + kernel + "; }"
                                         : "\n      return " + kernel + ";\n    }"));
  return "[&](auto call) {\n" +
         Indented(RenderList("return mshadow::Choose(", args, ");", kLineWidth - 4)) + "\n}";
}

std::string ChosenKernel(const PlanText &rule, const std::vector<std::string> &sizes) {
  return "const auto kernel = " + ChosenKernelOf(rule, rule.Function("Kernel"), sizes) + ";";
}

std::string KernelTemplate(const PlanText &rule, const std::vector<std::string> &first) {
  return TemplateLine(Append(Append(first, rule.TypenameParams()), {"typename Call"}));
}

std::string KernelSignature(const std::string &name) { return name + "(const Call call) {"; }

std::string StartSignature(const PlanText &rule, const std::string &name) {
  return RenderList("void " + name + "(", {"const " + rule.PlanType() + " &plan", "void *stream"},
                    ") {");
}

std::string TuningText(const PlanText &rule) {
  const Schedule &schedule = rule.plan().schedule;
  std::vector<std::string> numbers;
  for (const int number : {schedule.threads, schedule.lanes, schedule.vectors, schedule.waves}) {
    numbers.push_back(std::to_string(number));
  }
  Values values;
  values.Set("rule", rule.rule())
      .Set("tuning", Tuning(rule))
      .Set("values", "{" + Join(numbers, ", ") + "}");
  return RenderTemplate("cuda/tuning.tmpl.gen.cu", values);
}

std::string KernelText(const PlanText &rule) {
  const Skeleton &skeleton = SkeletonOf(rule.plan());
  if (skeleton.by_phase) return AllKernelsText(rule);
  const bool is_tuned = IsTuned(rule.plan());
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &size : skeleton.gpu_sizes) params.push_back("int " + size);
  if (rule.plan().leaves) params.emplace_back("bool kHasLeaves");
  const std::string &team = rule.plan().leaves ? skeleton.gpu_leaf_team : skeleton.gpu_team;
  const BodyCall call = {"", rule.condition_params(), "plan", team, 2, skeleton.function};
  Values values;
  values
      .Set("what", rule.rule() + ": " + skeleton.gpu_what +
                       (rule.plan().leaves ? ", or one for all rows of a leaf" : ""))
      .Set("kernel_template", KernelTemplate(rule, params))
      .Set("threads", is_tuned ? Tuning(rule) + ".threads" : "mshadow::cuda::kRowThreads")
      .Set("signature", KernelSignature(rule.Function("Kernel")))
      .Set("rows", BodyCallText(rule, call))
      .Set("has_once", false);
  return RenderTemplate("cuda/kernel.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
