// SPDX-License-Identifier: Apache-2.0
#include "backends/common/spec_text.h"

#include <algorithm>

#include "backends/common/skeleton.h"
#include "backends/common/view_text.h"
#include "emit/names.h"
#include "emit/rule_mark.h"
#include "ir/made_name.h"

namespace mgen {
namespace {

NamespacePath CommonPrefix(const std::vector<PlanText> &rules) {
  NamespacePath common = rules[0].spec_path();
  for (const PlanText &rule : rules) {
    size_t n = 0;
    while (n < std::min(common.size(), rule.spec_path().size()) &&
           common[n] == rule.spec_path()[n]) {
      ++n;
    }
    common.resize(n);
  }
  common.push_back(kFusedNamespace);
  return common;
}

SpecText MakeSpec(const std::string &path, const std::vector<const Plan *> &plans,
                  const EmitOptions &options) {
  const auto elsewhere = [&](const Plan *p) {
    return p->rule.namespaces != plans[0]->rule.namespaces;
  };
  const bool alone = std::none_of(plans.begin(), plans.end(), elsewhere);
  SpecText spec;
  spec.path = CheckPath(path);
  spec.stem = Stem(path);
  spec.numerics = options.numerics;
  const auto text = [&](const Plan &plan) {
    return PlanText(plan, options.wrap, alone, options.numerics);
  };
  for (const Plan *plan : plans) {
    spec.rules.push_back(text(*plan));
    if (!plan->is_staged()) spec.kernels.push_back(text(*plan));
    for (const PlanStage &stage : plan->stages) {
      if (!stage.call) spec.kernels.push_back(text(stage.kernel[0]));
    }
  }
  spec.home = alone ? spec.rules[0].fused_path() : CommonPrefix(spec.rules);
  return spec;
}

}  // namespace

std::string SpecText::ScalarNamespace() const {
  std::string name = stem;
  for (char &c : name) {
    if (!IsIdentifier(std::string("a") + c)) c = '_';
  }
  const std::string scalar = MadeName(name + "_scalar");
  return CheckIdentifier((IsIdentifier(scalar) ? "" : "spec_") + scalar, "spec");
}

std::string SpecText::ScalarRegion() const {
  const std::string outer = Qualified(home);
  return "::" + (outer.empty() ? "" : outer + "::") + kFused + "::" + ScalarNamespace();
}

std::string SpecText::Guard(const std::string &file) const {
  return GuardName(Directory(path) + file) + kGuardMark + "_";
}

std::vector<std::string> SpecText::RuleNames() const {
  std::vector<std::string> names;
  for (const PlanText &rule : rules) names.push_back(rule.rule());
  return names;
}

const PlanText &SpecText::KernelOf(const PlanStage &stage) const {
  return *std::find_if(kernels.begin(), kernels.end(), [&stage](const PlanText &kernel) {
    return &kernel.plan() == stage.kernel.data();
  });
}

bool SpecText::HasRowBuffers() const {
  return std::any_of(kernels.begin(), kernels.end(),
                     [](const PlanText &rule) { return rule.plan().has_row_buffers(); });
}

bool SpecText::ReadsViews() const {
  return std::any_of(kernels.begin(), kernels.end(),
                     [](const PlanText &rule) { return rule.plan().uses_views; });
}

bool SpecText::ReadsRankedViews() const {
  return std::any_of(kernels.begin(), kernels.end(),
                     [](const PlanText &rule) { return HasRankedViews(rule); });
}

bool SpecText::HasExpressions() const {
  return std::any_of(rules.begin(), rules.end(),
                     [](const PlanText &rule) { return rule.plan().rule.is_expression; });
}

bool SpecText::HasCalls(Statement::Kind kind) const {
  return std::any_of(rules.begin(), rules.end(),
                     [kind](const PlanText &rule) { return rule.plan().CountCalls(kind) > 0; });
}

std::vector<SpecText> GroupBySpec(const std::vector<Plan> &plans, const EmitOptions &options) {
  std::vector<std::pair<std::string, std::vector<const Plan *>>> groups;
  for (const Plan &plan : plans) {
    const auto same = [&](const auto &group) { return group.first == plan.rule.spec; };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) group = groups.insert(groups.end(), {plan.rule.spec, {}});
    group->second.push_back(&plan);
  }
  std::vector<SpecText> specs;
  for (const auto &[path, members] : groups) specs.push_back(MakeSpec(path, members, options));
  return specs;
}

}  // namespace mgen
