// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "backends/common/kernel_body.h"
#include "backends/common/launched_phases.h"
#include "backends/common/step_text.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

/// One function, in which a loop over blocks of columns has the phases one after the other. The
/// values of columns are read like a row: steps load a packet of them.
class ColumnsBody {
 public:
  explicit ColumnsBody(const PlanText &rule)
      : text_(rule), plan_(rule.plan()), phases_(text_.rule()) {}

  std::string Text() {
    const std::string values = ColumnValues();
    std::string body;
    for (size_t i = 0; i < phases_.all().size(); ++i) {
      const PhaseText &phase = phases_.all()[i];
      body += phases_.Text(static_cast<int>(i), text_, PhaseBody(phase));
    }
    return LaunchedText(text_.rule(), {values, body});
  }

 private:
  /// Declares the columns' values that a launch may load or store.
  std::string ColumnValues() {
    std::vector<std::string> lines;
    for (size_t n = 0; n < plan_.operands.size(); ++n) {
      const int i = static_cast<int>(n);
      const Operand &operand = plan_.operands[n];
      const std::string access = operand.store.never() ? "const auto " : "auto ";
      if (operand.axes.is_none()) {
        lines.push_back(text_.Local(i, "block"));
      } else if (plan_.IsOfColumn(operand.axes) && phases_.IsInMemory(i)) {
        lines.push_back(access + text_.rule().row_name(i) + " = block." + Source(i) + ";");
      }
    }
    return Join(lines, "\n");
  }
  std::string Source(int operand) const {
    const Guard used = plan_.UsedWhereRun(operand);
    const std::string memory =
        phases_.Memory(operand) +
        (used.always() ? "" : ", If<(" + text_.rule().GuardText(used) + ")>()");
    if (plan_.operands[operand].load) return "Of(" + memory + ")";
    return "Given(" + std::to_string(phases_.Giving(operand)) + ", " + memory + ")";
  }

  std::string PhaseBody(const PhaseText &phase) {
    if (!phase.phase->is_sweep) return OnceText(phase);
    if (phase.reductions.empty()) return text_.RowLoop(phase, 6);
    return text_.LeafLoop(phase, "", 6);
  }

  std::string OnceText(const PhaseText &phase) {
    const bool waits = StoresWhatIsRead(plan_) && !AlwaysFinishes(*phase.phase);
    Values values;
    values.Set("sync", waits ? "block.Sync();  // every thread has read the values" : "")
        .Set("place", phase.uses_place ? "const Places at = LanesAt({0, i.x}, i.lanes);" : "")
        .Set("loads", OnceLoads(phase))
        .Set("body", text_.Once(phase, 8))
        .Set("stores", OnceStores(phase));
    return RenderTemplate("common/columns_once.tmpl.map.inc", values);
  }

  std::string OnceLoads(const PhaseText &phase) {
    std::vector<std::string> lines;
    for (const Phase::Use &use : phase.phase->values) {
      if (!plan_.IsOfColumn(plan_.operands[use.index].axes)) continue;
      if (use.load) {
        lines.push_back(text_.Load(use.index, !use.store.never()));
        continue;
      }
      const std::string line = text_.Declared(use.index, phase.phase->steps);
      // nvcc warns of a variable that a variant declares, but neither assigns nor stores.
      const std::string unused = use.store.always() ? "" : "[[maybe_unused]] ";
      if (!line.empty()) lines.push_back(unused + line);
    }
    return Join(lines, "\n");
  }

  std::string OnceStores(const PhaseText &phase) const {
    std::vector<std::string> lines;
    for (const Phase::Use &use : phase.phase->values) {
      if (use.store.never() || !phases_.IsInMemory(use.index)) continue;
      lines.push_back(GuardedLine(
          text_.rule(), use.store,
          text_.rule().row_name(use.index) + ".Put(i, " + text_.Name(use.index) + ");"));
    }
    return Join(lines, "\n");
  }

  StepText text_;
  const Plan &plan_;
  const LaunchedPhases phases_;
};

}  // namespace

std::string ColumnsBodyText(const PlanText &rule) { return ColumnsBody(rule).Text(); }

}  // namespace mgen
