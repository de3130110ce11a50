// SPDX-License-Identifier: Apache-2.0
// lamb.loop.inc: the loops of a rule that reduces everything, one for each phase.
#include "backends/common/call_text.h"
#include "backends/common/phases_text.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

std::string LoopName(const PlanText &rule, const PhaseText &phase) {
  const std::string kind = phase.phase->is_sweep ? "Sweep" : "Once";
  return rule.Function(kind + std::to_string(phase.number) + "Loop");
}

/// Where element `column` of a row is, and which of all it is, where that matters.
std::string AllPlace(const PhaseText &phase, const std::string &column) {
  const std::string number = phase.uses_number ? ", row.y() * plan.cols + " + column : "";
  return "{row.y(), " + column + number + "}";
}

std::string ReducingSweep(const PlanText &rule, const PhaseText &phase, Values *values) {
  std::vector<std::string> parts;
  for (int i : phase.reductions) {
    const std::string &name = rule.reduction_name(i);
    parts.push_back(name + ".FinishPart(plan.kept->" + name + "[part]);");
  }
  const auto partial = [&](const std::string &index, const std::string &column,
                           const std::string &lanes) {
    return PartialCall(rule, phase, index, AllPlace(phase, column), lanes, 10);
  };
  const bool streams = phase.phase->stores_non_temporal;
  values->Set("block", BlockText(rule, phase))
      .Set("whole", WholeLanesOf(rule, streams, "i").local)
      .Set("end_streams", FinishStreams(streams))
      .Set("reductions", ReductionLocals(rule, phase))
      .Set("begin", ForReductions(rule, phase, ".Begin();"))
      .Set("head", partial("i - row.lane()", "static_cast<int64_t>(i) - row.lane()",
                           "LanesBetween{row.lane(), row.head()}"))
      .Set("full", BlockCall(rule, phase, "i", AllPlace(phase, "i"), 10))
      .Set("partial", partial("i", "i", "FirstLanes{row.end() - i}"))
      .Set("push", ForReductions(rule, phase, ".Push();"))
      .Set("parts", Join(parts, "\n"));
  return RenderTemplate("cpu/all_reducing_sweep.tmpl.loop.inc", *values);
}

std::string PlainSweep(const PlanText &rule, const PhaseText &phase, Values *values) {
  const bool streams = phase.phase->stores_non_temporal;
  const WholeLanes whole = WholeLanesOf(rule, streams, "i + lanes");
  values->Set("written", WrittenOperand(rule, phase))
      .Set("whole", whole.local)
      .Set("end_streams", FinishStreams(streams))
      .Set("full", PhaseCallText(rule, phase, {"N", "s", "i", "", "{row.y(), i}", whole.lanes, 8}))
      .Set("partial",
           PhaseCallText(rule, phase, {"N", "s", "i", "", "{row.y(), i}", "FirstLanes{lanes}", 8}));
  return RenderTemplate("cpu/all_sweep.tmpl.loop.inc", *values);
}

std::string Once(const PlanText &rule, const PhaseText &phase, Values *values) {
  std::vector<std::string> pushes;
  for (int i : phase.reductions) {
    const std::string &name = rule.reduction_name(i);
    pushes.push_back(name + ".PushPart(plan.kept->" + name + "[part]);");
  }
  values->Set("when", phase.when)
      .Set("reductions", ReductionLocals(rule, phase))
      .Set("reduces", !pushes.empty())
      .Set("pushes", Join(pushes, "\n"))
      .Set("call", PhaseCallText(rule, phase, {"N", "s", "", ".Finish()", "{0, 0}", "", 2}))
      .Set("stores", ValueStores(rule, phase));
  return RenderTemplate("cpu/once.tmpl.loop.inc", *values);
}

std::string LoopOf(const PlanText &rule, const PhaseText &phase, const std::string &lane_types) {
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  Values values;
  values.Set("rule", rule.rule())
      .Set("loop_template", TemplateLine(params))
      .Set("function", LoopName(rule, phase))
      .Set("plan_type", rule.PlanType())
      .Set("scalars", phase.uses_scalars ? ScalarsCopy(rule) : "")
      .Set("lane_types", lane_types)
      .Set("values", ValueLocals(rule, phase));
  if (!phase.phase->is_sweep) return Once(rule, phase, &values);
  values.Set("number", std::to_string(phase.number))
      .Set("rows", SweepLocals(rule, phase, "row.y()"));
  return phase.reductions.empty() ? PlainSweep(rule, phase, &values)
                                  : ReducingSweep(rule, phase, &values);
}

}  // namespace

std::vector<std::string> LoopMembers(const PlanText &rule) {
  std::vector<std::string> members;
  for (const PhaseText &phase : PhasesOf(rule)) {
    const std::string once = rule.plan().reduces_columns() ? "column" : "once";
    members.push_back((phase.phase->is_sweep ? "sweep" : once) + std::to_string(phase.number));
  }
  return members;
}

std::string AllLoopsText(const PlanText &rule, const std::string &lane_types) {
  std::vector<std::string> loops;
  for (const PhaseText &phase : PhasesOf(rule)) loops.push_back(LoopOf(rule, phase, lane_types));
  return Join(loops, "\n");
}

}  // namespace mgen
