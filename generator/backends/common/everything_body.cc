// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "backends/common/call_text.h"
#include "backends/common/kernel_body.h"
#include "backends/common/step_text.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

/// The functions of a kernel that reduces everything, one for each phase.
class EverythingBody {
 public:
  explicit EverythingBody(const PlanText &rule) : text_(rule), plan_(rule.plan()) {}

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
        .Set("scalars", phase.uses_scalars ? kScalars : "");
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
        .Set("leaves", text_.LeafLoop(phase, "", 4))
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

  /// Declares the values that a phase reads or assigns, except those of rows.
  std::string KeptValues(const PhaseText &phase, const std::string &target) {
    std::vector<std::string> lines;
    for (const Phase::Use &use : phase.phase->values) {
      const Operand &operand = plan_.operands[use.index];
      if (operand.axes.is_rows()) continue;
      const std::string &name = text_.Name(use.index);
      const std::string access = use.store.never() ? "const auto " : "auto ";
      if (use.load) {
        lines.push_back(access + name + " = " +
                        (operand.is_temporary
                             ? "Broadcast<N>(plan.kept->" + name + ");"
                             : text_.ValueOf(use.index, target) + ";"));
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

std::string EverythingBodyText(const PlanText &rule) { return EverythingBody(rule).Text(); }

}  // namespace mgen
