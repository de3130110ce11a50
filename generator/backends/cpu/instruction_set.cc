// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/instruction_set.h"

#include <algorithm>

#include "backends/common/call_text.h"
#include "backends/common/skeleton.h"
#include "emit/layout.h"
#include "emit/names.h"

namespace mgen {
namespace {

/// Whether a row's buffers hold its elements: "plan.cols <= mshadow::kRowBuffer<float>".
std::string BuffersFit(const PlanText &rule) {
  std::vector<std::string> fit;
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    if (!rule.plan().IsRowBuffer(static_cast<int>(i))) continue;
    const std::string type = rule.TypeName(rule.plan().operands[i].type);
    const std::string test = "plan.cols <= mshadow::kRowBuffer<" + type + ">";
    if (std::find(fit.begin(), fit.end(), test) == fit.end()) fit.push_back(test);
  }
  return Join(fit, " && ");
}

/// The loop of an instruction set: `avx2::AdamWLoop<DType>`.
/// \param packet "kShortBytes" for packets that are shorter than the region's
std::string LoopOf(const PlanText &rule, const EmitOptions &options, const std::string &isa,
                   const std::string &suffix, const std::string &packet = "") {
  std::vector<std::string> args = VariantArgs(rule, {});
  if (!packet.empty()) args.push_back(isa + "::" + packet);
  const bool is_template = !args.empty() || HasShortPackets(rule.plan(), options);
  const std::string name = isa + "::" + rule.Function(suffix);
  return name + (is_template ? "<" + Join(args, ", ") + ">" : "");
}

/// `const auto loop = mshadow::LoopFor(baseline::AdamWLoop<DType>, avx2::AdamWLoop<DType>);`.
/// \param head what comes before the loop: "const auto loop = "
/// \param width the columns of a line
std::string LoopForIsa(const PlanText &rule, const EmitOptions &options, const std::string &head,
                       const std::string &suffix, int width) {
  const auto loop = [&](const std::string &isa, const std::string &packet = "") {
    return LoopOf(rule, options, isa, suffix, packet);
  };
  if (options.isa.size() == 1) return head + loop("baseline") + ";";
  std::vector<std::string> args;
  if (NamesIsa(rule, options)) args.emplace_back("isa");
  args.push_back(loop("baseline"));
  args.push_back(loop(EmitsIsa(options, "avx2") ? "avx2" : "baseline"));
  if (HasShortPackets(rule.plan(), options)) args.push_back(loop("avx512", "kShortBytes"));
  if (EmitsIsa(options, "avx512")) args.push_back(loop("avx512"));
  return RenderList(head + "mshadow::LoopFor(", args, ");", width);
}

}  // namespace

bool EmitsIsa(const EmitOptions &options, const char *isa) {
  return std::find(options.isa.begin(), options.isa.end(), isa) != options.isa.end();
}

bool HasShortPackets(const Plan &plan, const EmitOptions &options) {
  return EmitsIsa(options, "avx512") && plan.schedule.has_short_packets;
}

std::string ChosenIsa(const PlanText &rule, const EmitOptions &options) {
  const Plan &plan = rule.plan();
  const bool has_choice = EmitsIsa(options, "avx2") || HasShortPackets(plan, options);
  const IsaPolicy policy = has_choice ? plan.schedule.isa : IsaPolicy::kWidest;
  const std::string of = rule.type_params().empty() ? "" : "Of" + TemplateArgs(rule.type_params());
  if (policy == IsaPolicy::kDivide && rule.divides_exactly()) {
    return "mshadow::IsaToDivide" + of + "()";
  }
  if (policy == IsaPolicy::kWidest || policy == IsaPolicy::kDivide) return "mshadow::ActiveIsa()";
  const bool copies = policy == IsaPolicy::kCopy && HasShortPackets(plan, options);
  return (copies ? "mshadow::IsaToCopy" + of : "mshadow::IsaToMove") + "(" +
         SkeletonOf(plan).elements + " * kBytes)";
}

bool NamesIsa(const PlanText &rule, const EmitOptions &options) {
  return options.isa.size() > 1 && (HasShortPackets(rule.plan(), options) ||
                                    ChosenIsa(rule, options) != "mshadow::ActiveIsa()");
}

std::string ChosenLoop(const PlanText &rule, const EmitOptions &options, const std::string &name,
                       const std::string &suffix) {
  const std::string head = "const auto " + name + " = ";
  if (rule.VariantParams().empty()) {
    return LoopForIsa(rule, options, head, suffix, kLineWidth - 2);
  }
  std::vector<std::string> constants, flags;
  for (size_t i = 0; i < rule.plan().conditions.size(); ++i) {
    constants.push_back("auto " + rule.condition_param(i));
    flags.push_back("plan.scalars." + rule.condition_member(i));
  }
  if (rule.plan().has_row_buffers()) {
    constants.push_back("auto kBuffered");
    flags.push_back(BuffersFit(rule));
  }
  if (rule.plan().leaves) {
    constants.push_back("auto kHasLeaves");
    flags.push_back("plan.has_leaves");
  }
  const std::string isa = NamesIsa(rule, options) ? "[isa]" : "[]";
  return head + "mshadow::Choose(\n    " + isa + "(" + Join(constants, ", ") + ") {\n" +
         Indented(LoopForIsa(rule, options, "return ", suffix, kLineWidth - 8), 6) +
         "\n    },\n    " + RenderList("", flags, ");", kLineWidth - 6);
}

}  // namespace mgen
