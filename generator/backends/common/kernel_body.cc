// SPDX-License-Identifier: Apache-2.0
#include "backends/common/kernel_body.h"

#include <algorithm>

#include "backends/common/call_text.h"
#include "backends/common/channels_body.h"
#include "backends/common/columns_body.h"
#include "backends/common/step_text.h"
#include "emit/names.h"
#include "emit/template.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// Each with a newline.
std::string Ended(const std::vector<std::string> &lines) {
  return lines.empty() ? "" : Join(lines, "\n") + "\n";
}

/// The sweep that a kernel over elements is.
Phase SweepOver(const Plan &plan) {
  Phase sweep{};
  sweep.is_sweep = true;
  sweep.steps = plan.steps;
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const Operand &operand = plan.operands[i];
    sweep.operands.push_back({static_cast<int>(i), operand.load, operand.store});
  }
  sweep.stores_non_temporal = plan.schedule.non_temporal >= 0;
  return sweep;
}

/// The function of a kernel over elements, or that reduces rows.
class RowsBody {
 public:
  explicit RowsBody(const PlanText &rule)
      : text_(rule), plan_(rule.plan()), sweep_(SweepOver(plan_)), phases_(PhasesOf(text_.rule())) {
    if (plan_.has_phases()) return;
    PhaseText sweep{};
    sweep.phase = &sweep_;
    sweep.uses_place = plan_.uses_place;
    phases_.push_back(sweep);
  }

  std::string Text() {
    std::string body = Locals();
    for (const PhaseText &phase : phases_) {
      if (!phase.phase->is_sweep) {
        body += text_.Once(phase, 4) + "\n";
      } else {
        body += (plan_.has_phases() ? "\n" : "") + text_.Step(phase, 6);
      }
    }
    Values values;
    values.Set("rule", rule().rule())
        .Set("template", BodyTemplate(rule(), "Rows"))
        .Set("function", rule().Function("Rows"))
        .Set("what", plan_.has_phases() ? "rows" : "elements")
        .Set("lanes", plan_.has_phases() && NamesLanes(body))
        .Set("buffers", plan_.has_row_buffers())
        .Set("scalars", rule().steps_use_scalars() ? ScalarsCopy(rule()) : "")
        .Set("body", body + Stores());
    return RenderTemplate("common/kernel.tmpl.map.inc", values);
  }

 private:
  const PlanText &rule() const { return text_.rule(); }

  std::string Locals() {
    std::vector<std::string> lines;
    if (HasPlace()) lines.push_back("const mshadow::packet::Place place = {row.y(), 0};");
    for (size_t i = 0; i < plan_.operands.size(); ++i) {
      const std::string line = text_.Local(static_cast<int>(i));
      if (!line.empty()) lines.push_back(line);
    }
    return Ended(lines);
  }

  /// Whether what is done between sweeps asks for the number of the row.
  bool HasPlace() const {
    return std::any_of(phases_.begin(), phases_.end(), [](const PhaseText &phase) {
      return !phase.phase->is_sweep && phase.uses_place;
    });
  }

  /// Writes the row's values back.
  std::string Stores() const {
    std::vector<std::string> lines;
    for (const int i : rule().Tensors()) {
      const Operand &operand = plan_.operands[i];
      if (!text_.IsValue(i) || operand.store.never()) continue;
      lines.push_back(GuardedLine(rule(), operand.store,
                                  "row.Put(" + text_.Member(i) + ", " + text_.Name(i) + ");"));
    }
    if (!lines.empty() && StoresWhatIsRead(plan_) && !HasFinished()) {
      lines.insert(lines.begin(), "row.Sync();  // every thread has read the values");
    }
    return Join(lines, "\n");
  }

  /// Whether the threads of a row wait for each other whatever the conditions are: they do where
  /// the result of a reduction is read.
  bool HasFinished() const {
    return std::any_of(plan_.phases.begin(), plan_.phases.end(), AlwaysFinishes);
  }

  StepText text_;
  const Plan &plan_;
  const Phase sweep_;  ///< of a kernel over elements
  std::vector<PhaseText> phases_;
};

/// The functions of a kernel that reduces everything, one for each phase.
class PhasesBody {
 public:
  explicit PhasesBody(const PlanText &rule) : text_(rule), plan_(rule.plan()) {}

  std::string Text() {
    std::vector<std::string> functions;
    for (const PhaseText &phase : PhasesOf(rule())) {
      functions.push_back(!phase.phase->is_sweep     ? OnceFunction(phase)
                          : phase.reductions.empty() ? PlainFunction(phase)
                                                     : ReducingFunction(phase));
    }
    return Join(functions, "\n");
  }

 private:
  const PlanText &rule() const { return text_.rule(); }

  Values PhaseValues(const PhaseText &phase, const std::string &target) const {
    Values values;
    values.Set("rule", rule().rule())
        .Set("template", BodyTemplate(rule(), target))
        .Set("function", rule().Function(PhaseSuffix(phase)))
        .Set("scalars", phase.uses_scalars ? "const auto &s = ScalarsOf(plan);" : "");
    return values;
  }

  std::string ReducingFunction(const PhaseText &phase) {
    std::vector<std::string> finish;
    for (const int i : phase.reductions) {
      const std::string &name = rule().reduction_name(i);
      finish.push_back(name + ".FinishPart(plan.kept->" + name + "[part.number()]);");
    }
    Values values = PhaseValues(phase, "Parts");
    values.Set("number", std::to_string(phase.number))
        .Set("values", KeptValues(phase, "part"))
        .Set("reductions", text_.Reductions(phase, "part"))
        .Set("leaves", text_.LeafLoop(phase, "part", "", 4))
        .Set("finish", Join(finish, "\n"));
    return RenderTemplate("common/reducing_sweep.tmpl.map.inc", values);
  }

  std::string PlainFunction(const PhaseText &phase) {
    const std::string kept = KeptValues(phase, "row"), sweep = text_.Step(phase, 6);
    Values values = PhaseValues(phase, "Rows");
    values.Set("number", std::to_string(phase.number))
        .Set("lanes", NamesLanes(kept) || NamesLanes(sweep))
        .Set("values", kept)
        .Set("rows", text_.Rows(phase))
        .Set("sweep", sweep);
    return RenderTemplate("common/plain_sweep.tmpl.map.inc", values);
  }

  std::string OnceFunction(const PhaseText &phase) {
    std::string reductions = text_.Reductions(phase, "once");
    for (const int i : phase.reductions) {
      const std::string &name = rule().reduction_name(i);
      reductions += "\nonce.TakeParts(plan.parts, plan.kept->" + name + ", " + name + ");";
    }
    const std::string place =
        phase.uses_place ? "const mshadow::packet::Place place = {0, 0};\n" : "";
    Values values = PhaseValues(phase, "Once");
    values.Set("when", phase.when)
        .Set("values", place + KeptValues(phase, "once"))
        .Set("reductions", reductions)
        .Set("body", text_.Once(phase, 2))
        .Set("stores", OnceStores(phase));
    return RenderTemplate("common/between_sweeps.tmpl.map.inc", values);
  }

  /// The values of all elements that a phase reads or gives.
  std::string KeptValues(const PhaseText &phase, const std::string &target) {
    std::vector<std::string> lines;
    for (const Phase::Use &use : phase.phase->values) {
      const Operand &operand = plan_.operands[use.index];
      if (operand.map == IndexMap::kColumn) continue;  // its row's
      const std::string &name = text_.Name(use.index);
      const std::string access = use.store.never() ? "const auto " : "auto ";
      if (use.load) {
        lines.push_back(access + name + " = " +
                        (operand.is_temporary
                             ? "Broadcast<N>(plan.kept->" + name + ");"
                             : target + ".ValueOf(" + text_.Member(use.index) + ");"));
      } else {
        const std::string declared = text_.Declared(use.index, phase.phase->steps);
        if (!declared.empty()) lines.push_back(declared);
      }
    }
    return Join(lines, "\n");
  }

  std::string OnceStores(const PhaseText &phase) const {
    std::vector<std::string> lines;
    for (const Phase::Use &use : phase.phase->values) {
      const bool is_temporary = plan_.operands[use.index].is_temporary;
      if (use.store.never() || (is_temporary && !plan_.IsKept(use.index))) continue;
      const std::string &name = text_.Name(use.index);
      lines.push_back(
          GuardedLine(rule(), use.store,
                      is_temporary ? "once.Keep(&plan.kept->" + name + ", " + name + ");"
                                   : "once.Put(" + text_.Member(use.index) + ", " + name + ");"));
    }
    return Join(lines, "\n");
  }

  StepText text_;
  const Plan &plan_;
};

}  // namespace

bool StoresWhatIsRead(const Plan &plan) {
  if (plan.sweeps() == 0) return false;
  return std::any_of(plan.operands.begin(), plan.operands.end(), [&](const Operand &operand) {
    return operand.map == ValueMap(plan.frame) && operand.load && !operand.store.never();
  });
}

bool AlwaysFinishes(const Phase &phase) {
  if (phase.is_sweep) return false;
  return std::any_of(phase.steps.begin(), phase.steps.end(), [](const Step &step) {
    bool reads = false;
    if (step.kind == Step::kIf) return false;
    ForEachNode(step.value,
                [&reads](const Expr &node) { reads = reads || node->op == Op::kReduced; });
    return reads;
  });
}

std::string BodyTemplate(const PlanText &rule, const std::string &target) {
  return TemplateLine(Append(Append(rule.ConditionParams(), rule.TypenameParams()),
                             {"typename Plan", "typename " + target}));
}

std::string KernelBodyText(const PlanText &rule) {
  if (rule.plan().by_channel()) return ChannelsBodyText(rule);
  if (rule.plan().reduces_columns()) return ColumnsBodyText(rule);
  return rule.plan().reduces_all() ? PhasesBody(rule).Text() : RowsBody(rule).Text();
}

std::string PhaseSuffix(const PhaseText &phase) {
  return (phase.phase->is_sweep ? "Sweep" : "Once") + std::to_string(phase.number);
}

}  // namespace mgen
