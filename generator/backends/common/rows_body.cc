// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "backends/common/call_text.h"
#include "backends/common/kernel_body.h"
#include "backends/common/step_text.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

/// The lines, each with a newline.
std::string Ended(const std::vector<std::string> &lines) {
  return lines.empty() ? "" : Join(lines, "\n") + "\n";
}

/// A kernel over elements as a sweep.
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

/// The function of a kernel over elements or over rows.
class RowsBody {
 public:
  explicit RowsBody(const PlanText &rule)
      : text_(rule), plan_(rule.plan()), sweep_(SweepOver(plan_)), phases_(PhasesOf(text_.rule())) {
    if (!plan_.kept.is_every()) return;
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
        body += (plan_.kept.is_every() ? "" : "\n") + text_.Step(phase, 6);
      }
    }
    Values values;
    values.Set("rule", rule().rule())
        .Set("template", BodyTemplate(rule(), "Rows"))
        .Set("function", rule().Function("Rows"))
        .Set("what", SkeletonOf(plan_).what)
        .Set("lanes", !plan_.kept.is_every() && NamesLanes(body))
        .Set("buffers", plan_.has_row_buffers())
        .Set("scalars", rule().steps_use_scalars() ? kScalars : "")
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
    for (size_t i = 0; i < plan_.reductions.size(); ++i) {
      if (plan_.reductions[i].is_leaf()) lines.push_back(text_.LeafRow(static_cast<int>(i)));
    }
    return Ended(lines);
  }

  /// Whether an epilogue uses the index of the row.
  bool HasPlace() const {
    return std::any_of(phases_.begin(), phases_.end(), [](const PhaseText &phase) {
      return !phase.phase->is_sweep && phase.uses_place;
    });
  }

  /// Stores the row's values.
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

  /// Whether the threads of a row wait for each other under all conditions: they do so to read the
  /// result of a reduction.
  bool HasFinished() const {
    return std::any_of(plan_.phases.begin(), plan_.phases.end(), AlwaysFinishes);
  }

  StepText text_;
  const Plan &plan_;
  const Phase sweep_;  ///< of a kernel over elements
  std::vector<PhaseText> phases_;
};

}  // namespace

std::string RowsBodyText(const PlanText &rule) { return RowsBody(rule).Text(); }

}  // namespace mgen
