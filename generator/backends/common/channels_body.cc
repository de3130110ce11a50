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

/// One function, in which a loop over channels, or blocks of them, has the phases one after the
/// other.
class ChannelsBody {
 public:
  explicit ChannelsBody(const PlanText &rule)
      : text_(rule), plan_(rule.plan()), phases_(text_.rule()) {}

  std::string Text() {
    const std::string values = HasBlocks() ? "" : SharedValues();
    std::string body;
    for (size_t i = 0; i < phases_.all().size(); ++i) body += PhaseText(static_cast<int>(i));
    return LaunchedText(rule(), {values, body});
  }

 private:
  const PlanText &rule() const { return text_.rule(); }
  /// Whether the loop takes several channels together.
  bool HasBlocks() const { return plan_.schedule.loops.front().has(Loop::kSeveral); }
  /// Whether the loop takes planes, of any channel.
  bool HasPlanes() const { return plan_.schedule.loops.back().has(Loop::kThreads); }

  /// Declares the values of a channel that are loaded, or that several phases read or assign.
  std::string SharedValues() {
    std::vector<std::string> lines;
    for (size_t n = 0; n < plan_.operands.size(); ++n) {
      const int i = static_cast<int>(n);
      if (!text_.IsValue(i) || IsOfRow(i)) continue;
      if (plan_.operands[n].load || HasPlanes()) {
        AddLine(text_.Local(i, "channel"), &lines);
      } else if (phases_.IsShared(i)) {
        AddShared(i, &lines);
      }
    }
    return Join(lines, "\n");
  }

  /// Declares a value that another launch may have computed.
  void AddShared(int operand, std::vector<std::string> *lines) const {
    lines->push_back(text_.Packet(operand) + " " + text_.Name(operand) + ";");
    if (!phases_.IsInMemory(operand) || !phases_.IsReadLater(operand)) return;
    const std::string take = "channel.TakeGiven(" + std::to_string(phases_.Giving(operand)) + ", " +
                             phases_.Memory(operand) + ", " + text_.Name(operand) + ");";
    lines->push_back(GuardedLine(rule(), plan_.UsedWhereRun(operand), take));
  }

  /// Whether it is a value of each row, which the loop over a channel's rows loads.
  bool IsOfRow(int operand) const { return plan_.operands[operand].axes.is_rows(); }

  static void AddLine(const std::string &line, std::vector<std::string> *lines) {
    if (!line.empty()) lines->push_back(line);
  }

  /// \param number the index of the phase
  std::string PhaseText(int number) {
    const mgen::PhaseText &phase = phases_.all()[static_cast<size_t>(number)];
    const int indent = HasPlanes() ? 4 : 6;
    const std::string body = !phase.phase->is_sweep     ? OnceText(phase, indent)
                             : phase.reductions.empty() ? text_.RowLoop(phase, indent)
                                                        : SweepText(phase, indent);
    return HasPlanes() ? body : phases_.Text(number, text_, body);
  }

  std::string SweepText(const mgen::PhaseText &phase, int indent) {
    std::vector<std::string> values;
    if (HasBlocks()) {
      for (const int i : phase.values) {
        if (!IsOfRow(i)) values.push_back(text_.Local(i, "leaf"));
      }
    }
    return text_.LeafLoop(phase, Join(values, "\n"), indent);
  }

  std::string OnceText(const mgen::PhaseText &phase, int indent) {
    if (!HasBlocks()) return OnceSteps(phase, indent);
    Values values;
    values.Set("body", OnceSteps(phase, indent + 2));
    return RenderTemplate("common/block.tmpl.map.inc", values);
  }

  std::string OnceSteps(const mgen::PhaseText &phase, int indent) {
    std::vector<std::string> lines;
    if (phase.uses_place) {
      lines.emplace_back("const mshadow::packet::Place place = {channel.number(), 0};");
    }
    for (const int i : phase.values) {
      if (HasBlocks()) {
        AddLine(text_.Local(i, "channel"), &lines);
      } else if (!HasPlanes() && !plan_.operands[i].load && !phases_.IsShared(i)) {
        AddLine(text_.Declared(i, phase.phase->steps), &lines);
      }
    }
    lines.push_back(text_.Once(phase, indent));
    AddLine(Stores(phase), &lines);
    return Join(lines, "\n") + "\n";
  }

  /// Stores the values that a phase assigns.
  std::string Stores(const mgen::PhaseText &phase) const {
    std::vector<std::string> lines;
    if (HasPlanes()) return "";
    for (const Phase::Use &use : phase.phase->values) {
      if (use.store.never() || !phases_.IsInMemory(use.index)) continue;
      const bool is_temporary = plan_.operands[use.index].is_temporary;
      if (is_temporary && !phases_.IsReadLater(use.index)) continue;
      lines.push_back(GuardedLine(rule(), use.store,
                                  std::string(is_temporary ? "channel.Keep(" : "channel.Put(") +
                                      phases_.Memory(use.index) + ", " + text_.Name(use.index) +
                                      ");"));
    }
    if (!lines.empty() && StoresWhatIsRead(plan_) && !AlwaysFinishes(*phase.phase)) {
      lines.insert(lines.begin(), "channel.Sync();  // every thread has read the values");
    }
    return Join(lines, "\n");
  }

  StepText text_;
  const Plan &plan_;
  const LaunchedPhases phases_;
};

}  // namespace

std::string ChannelsBodyText(const PlanText &rule) { return ChannelsBody(rule).Text(); }

}  // namespace mgen
