// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backends/common/call_text.h"
#include "backends/cuda/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {
namespace {

std::string Tuning(const PlanText &rule) { return "k" + rule.Function("Tuning"); }

/// The types of the operands of which a kernel takes several elements at once.
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

std::string Views(const PlanText &rule) {
  std::vector<std::string> views = {"plan.rows"};
  for (int i : rule.Tensors()) {
    if (!rule.plan().operands[i].axes.is_uniform() && !rule.plan().ViewOf(i)) {
      views.push_back("plan." + rule.operand_name(i));
    }
  }
  return RenderList("const bool aligned = mshadow::cuda::IsAligned<N>(", views, ");",
                    kLineWidth - 2);
}

}  // namespace

std::string ChosenKernelOf(const PlanText &rule, const std::string &name,
                           const std::vector<std::string> &sizes) {
  const std::string kernel = "device::" + name + TemplateArgs(ConditionArgs(rule, sizes));
  std::vector<std::string> flags, args;
  for (size_t i = 0; i < rule.plan().conditions.size(); ++i) {
    flags.push_back("auto " + rule.condition_param(i));
    args.push_back("plan.scalars." + rule.condition_member(i));
  }
  if (flags.empty()) return kernel;
  args.insert(args.begin(), "[](" + Join(flags, ", ") + ") { return " + kernel + "; }");
  return RenderList("mshadow::Choose(", args, ")", kLineWidth - 24);
}

std::string ChosenKernel(const PlanText &rule, const std::vector<std::string> &sizes) {
  return "const auto kernel = " + ChosenKernelOf(rule, rule.Function("Kernel"), sizes) + ";";
}

std::string KernelSignature(const PlanText &rule, const std::string &name) {
  return RenderList(name + "(", {"const " + rule.PlanType() + " plan"}, ") {");
}

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
  if (rule.plan().kept.is_none()) return AllKernelsText(rule);
  const Skeleton &skeleton = SkeletonOf(rule.plan());
  const bool is_tuned = rule.plan().kept.is_every();
  std::vector<std::string> params = rule.ConditionParams();
  if (is_tuned) params.insert(params.end(), {"int N", "int V"});
  const BodyCall call = {"", rule.condition_params(), "plan", skeleton.gpu_team,
                         2,  skeleton.function};
  Values values;
  values.Set("what", rule.rule() + ": " + skeleton.gpu_what)
      .Set("kernel_template", TemplateLine(Append(params, rule.TypenameParams())))
      .Set("threads", is_tuned ? Tuning(rule) + ".threads" : "mshadow::cuda::kRowThreads")
      .Set("signature", KernelSignature(rule, rule.Function("Kernel")))
      .Set("rows", BodyCallText(rule, call));
  return RenderTemplate("cuda/kernel.tmpl.gen.cu", values);
}

std::string ChoiceText(const PlanText &rule) {
  const Plan &plan = rule.plan();
  if (plan.kept.is_none()) return AllChoiceText(rule);
  if (SkeletonOf(plan).keeps) return PhasedChoiceText(rule);
  if (!plan.kept.is_every()) return RowChoiceText(rule);
  std::vector<std::string> params = {"int N"};
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  std::vector<std::string> types = rule.type_params();
  std::vector<std::string> args = {"N"};
  args.insert(args.end(), types.begin(), types.end());
  std::vector<std::string> single = args;
  single[0] = "1";
  Values values;
  values.Set("rule", rule.rule())
      .Set("start_template", TemplateLine(params))
      .Set("widest_template", TemplateLine(rule.TypenameParams()))
      .Set("start", "Start" + rule.Function(""))
      .Set("signature", StartSignature(rule, "Start" + rule.Function("")))
      .Set("widest_signature", StartSignature(rule, "StartWidest" + rule.Function("")))
      .Set("launch", RenderList("mshadow::cuda::Launch(",
                                {"\"" + rule.rule() + "\"", "kernel", Tuning(rule), "N * V", "plan",
                                 "stream"},
                                ");", kLineWidth - 2))
      .Set("tuning", Tuning(rule))
      .Set("kernel", ChosenKernel(rule, {"N", "V"}))
      .Set("vector_types", VectorTypes(rule))
      .Set("aligned", Views(rule))
      .Set("vector_args", TemplateArgs(args))
      .Set("single_args", TemplateArgs(single));
  return RenderTemplate("cuda/choice.tmpl.gen.cu", values);
}

std::string EntryText(const PlanText &rule) {
  std::vector<std::string> entries;
  auto instances = rule.plan().rule.instances;
  if (rule.type_params().empty()) instances = {{}};
  for (const PlanText::Instance &instance : instances) {
    const std::vector<std::string> params = {"const " + rule.PlanType(instance) + " &plan",
                                             "void *stream"};
    const std::string start = rule.plan().kept.is_every() ? "StartWidest" : "Start";
    entries.push_back(ShortFunction(
        RenderList("void Launch" + rule.rule() + "Kernel(", params, ")", kLineWidth - 2),
        start + rule.Function("") + "(plan, stream);"));
  }
  return Join(entries, "\n") + "\n";
}

}  // namespace cuda
}  // namespace mgen
