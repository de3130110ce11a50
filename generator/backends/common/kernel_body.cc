// SPDX-License-Identifier: Apache-2.0
#include "backends/common/kernel_body.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "backends/common/body_text.h"
#include "backends/common/call_text.h"
#include "backends/common/view_text.h"
#include "emit/names.h"
#include "emit/template.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// Each with a newline.
std::string Ended(const std::vector<std::string> &lines) {
  return lines.empty() ? "" : Join(lines, "\n") + "\n";
}

std::string Lines(const std::vector<std::string> &lines) { return Join(lines, "\n"); }

/// Whether text names N, the number of lanes: a constant that nothing names is a warning.
bool NamesLanes(const std::string &text) {
  const auto is_part = [&text](size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (size_t at = text.find('N'); at != std::string::npos; at = text.find('N', at + 1)) {
    if (!is_part(at + 1) && (at == 0 || !is_part(at - 1))) return true;
  }
  return false;
}

int CountAssignments(const std::vector<Step> &steps, int operand) {
  int count = 0;
  ForEachStep(steps, [&](const Step &step) {
    count += step.kind == Step::kAssign && step.operand == operand;
  });
  return count;
}

/// Whether the first assignment of an operand among these steps stands in no branch.
bool BeginsWithAssignment(const std::vector<Step> &steps, int operand) {
  const auto first = std::find_if(steps.begin(), steps.end(), [operand](const Step &step) {
    return CountAssignments({step}, operand) > 0;
  });
  return first != steps.end() && first->kind == Step::kAssign && !first->again;
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

class KernelBody {
 public:
  explicit KernelBody(const PlanText &rule)
      : rule_(rule.InRegion()),
        plan_(rule.plan()),
        sweep_(SweepOver(plan_)),
        phases_(PhasesOf(rule_)) {
    for (const Phase &phase : plan_.phases) CountResults(phase);
    if (plan_.has_phases()) return;
    PhaseText sweep{};
    sweep.phase = &sweep_;
    sweep.uses_place = plan_.uses_place;
    phases_.push_back(sweep);
  }

  /// Of a kernel over elements, or that reduces rows.
  std::string RowsText() {
    std::string body = Locals();
    for (const PhaseText &phase : phases_) {
      if (!phase.phase->is_sweep) {
        body += Once(phase, 4) + "\n";
      } else {
        body += (plan_.has_phases() ? "\n" : "") + Step(phase, 6);
      }
    }
    Values values;
    values.Set("rule", rule_.rule())
        .Set("template", Template("Rows"))
        .Set("function", rule_.Function("Rows"))
        .Set("what", plan_.has_phases() ? "rows" : "elements")
        .Set("lanes", plan_.has_phases() && NamesLanes(body))
        .Set("buffers", plan_.has_row_buffers())
        .Set("scalars", rule_.steps_use_scalars() ? ScalarsCopy(rule_) : "")
        .Set("body", body + Stores());
    return RenderTemplate("common/kernel.tmpl.map.inc", values);
  }

  /// Of a kernel that reduces everything: a function for each phase.
  std::string PhasesText() {
    std::vector<std::string> functions;
    for (const PhaseText &phase : phases_) {
      functions.push_back(!phase.phase->is_sweep     ? OnceFunction(phase)
                          : phase.reductions.empty() ? PlainFunction(phase)
                                                     : ReducingFunction(phase));
    }
    return Join(functions, "\n");
  }

 private:
  std::string Template(const std::string &target) const {
    return TemplateLine(Append(Append(rule_.ConditionParams(), rule_.TypenameParams()),
                               {"typename Plan", "typename " + target}));
  }

  // A function for each phase.

  Values PhaseValues(const PhaseText &phase, const std::string &target) const {
    Values values;
    values.Set("rule", rule_.rule())
        .Set("template", Template(target))
        .Set("function", rule_.Function(PhaseSuffix(phase)))
        .Set("scalars", phase.uses_scalars ? "const auto &s = ScalarsOf(plan);" : "");
    return values;
  }

  std::string ReducingFunction(const PhaseText &phase) {
    std::vector<std::string> finish;
    for (const int i : phase.reductions) {
      const std::string &name = rule_.reduction_name(i);
      finish.push_back(name + ".FinishPart(plan.kept->" + name + "[part.number()]);");
    }
    Values values = PhaseValues(phase, "Parts");
    values.Set("number", std::to_string(phase.number))
        .Set("values", KeptValues(phase, "part"))
        .Set("reductions", Reductions(phase, "part"))
        .Set("begin", ForReductions(rule_, phase, ".Begin();"))
        .Set("rows", PhaseRows(phase))
        .Set("sweep", Step(phase, 10))
        .Set("push", ForReductions(rule_, phase, ".Push(leaf);"))
        .Set("finish", Lines(finish));
    return RenderTemplate("common/reducing_sweep.tmpl.map.inc", values);
  }

  std::string PlainFunction(const PhaseText &phase) {
    const std::string kept = KeptValues(phase, "row"), sweep = Step(phase, 6);
    Values values = PhaseValues(phase, "Rows");
    values.Set("number", std::to_string(phase.number))
        .Set("lanes", NamesLanes(kept) || NamesLanes(sweep))
        .Set("values", kept)
        .Set("rows", PhaseRows(phase))
        .Set("sweep", sweep);
    return RenderTemplate("common/plain_sweep.tmpl.map.inc", values);
  }

  std::string OnceFunction(const PhaseText &phase) {
    std::string reductions = Reductions(phase, "once");
    for (const int i : phase.reductions) {
      const std::string &name = rule_.reduction_name(i);
      reductions += "\nonce.TakeParts(plan.parts, plan.kept->" + name + ", " + name + ");";
    }
    const std::string place =
        phase.uses_place ? "const mshadow::packet::Place place = {0, 0};\n" : "";
    Values values = PhaseValues(phase, "Once");
    values.Set("when", phase.when)
        .Set("values", place + KeptValues(phase, "once"))
        .Set("reductions", reductions)
        .Set("body", Once(phase, 2))
        .Set("stores", OnceStores(phase));
    return RenderTemplate("common/between_sweeps.tmpl.map.inc", values);
  }

  /// The values of all elements that a phase reads or gives.
  std::string KeptValues(const PhaseText &phase, const std::string &target) {
    std::vector<std::string> lines;
    for (const Phase::Use &use : phase.phase->values) {
      const Operand &operand = plan_.operands[use.index];
      if (operand.map == IndexMap::kColumn) continue;  // its row's
      const std::string &name = Name(use.index);
      const std::string access = use.store.never() ? "const auto " : "auto ";
      if (use.load) {
        lines.push_back(access + name + " = " +
                        (operand.is_temporary ? "Broadcast<N>(plan.kept->" + name + ");"
                                              : target + ".ValueOf(" + Member(use.index) + ");"));
      } else if (BeginsWithAssignment(phase.phase->steps, use.index)) {
        undeclared_.insert(use.index);
      } else {
        lines.push_back(Packet(use.index) + " " + name + ";");
      }
    }
    return Lines(lines);
  }

  /// The rows of a sweep's operands, and the rows' values.
  std::string PhaseRows(const PhaseText &phase) {
    std::vector<std::string> lines;
    for (const Phase::Use &use : phase.phase->operands) {
      const std::string line = Local(use.index);
      if (!line.empty()) lines.push_back(line);
    }
    for (const int i : phase.values) {
      if (plan_.operands[i].map != IndexMap::kColumn) continue;
      lines.push_back("const auto " + Name(i) + " = row.ValueOf(" + Member(i) + ");");
    }
    return Lines(lines);
  }

  std::string OnceStores(const PhaseText &phase) const {
    std::vector<std::string> lines;
    for (const Phase::Use &use : phase.phase->values) {
      const bool is_temporary = plan_.operands[use.index].is_temporary;
      if (use.store.never() || (is_temporary && !plan_.IsKept(use.index))) continue;
      const std::string &name = Name(use.index);
      lines.push_back(GuardedLine(rule_, use.store,
                                  is_temporary
                                      ? "once.Keep(&plan.kept->" + name + ", " + name + ");"
                                      : "once.Put(" + Member(use.index) + ", " + name + ");"));
    }
    return Lines(lines);
  }

  /// How often the results of reductions are read.
  void CountResults(const Phase &phase) {
    ForEachStep(phase.steps, [this](const mgen::Step &step) {
      ForEachNode(step.value, [this](const Expr &node) {
        for (const Expr &arg : node->args) CountResult(*arg);
      });
      CountResult(*step.value);
    });
  }
  void CountResult(const Node &node) {
    if (node.op == Op::kReduced) ++read_[node.index];
  }

  std::string Name(int operand) const { return rule_.operand_name(operand); }
  std::string Member(int operand) const { return "plan." + Name(operand); }
  std::string Packet(int operand) const { return rule_.PacketType(plan_.operands[operand].type); }
  bool IsUnread(int operand) const {
    return plan_.ViewOf(operand) != nullptr && !plan_.operands[operand].load;
  }

  /// Whether an operand has one value for a row, which is the same packet in all steps.
  bool IsValue(int operand) const {
    return plan_.has_phases() && IsUniform(plan_.operands[operand].map);
  }

  // What the sweeps share.

  std::string Locals() {
    std::vector<std::string> lines;
    if (HasPlace()) lines.push_back("const mshadow::packet::Place place = {row.y(), 0};");
    for (size_t i = 0; i < plan_.operands.size(); ++i) {
      const std::string line = Local(static_cast<int>(i));
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

  /// The row of an operand, or its value; "" of what is declared where it is assigned.
  std::string Local(int operand) {
    const Operand &of = plan_.operands[operand];
    const std::string access = rule_.IsWritten(operand) ? "auto " : "const auto ";
    const bool is_in_step = of.is_temporary && !plan_.has_phases();
    if (of.map == IndexMap::kGather || IsUnread(operand) || is_in_step) return "";
    if (IsValue(operand)) {
      if (of.load) return access + Name(operand) + " = row.ValueOf(" + Member(operand) + ");";
      if (IsAssignedAtFirst(operand)) {
        undeclared_.insert(operand);
        return "";
      }
      return Packet(operand) + " " + Name(operand) + ";";
    }
    const std::string &row = rule_.row_name(operand);
    if (plan_.ViewOf(operand)) {
      return "const ViewRow " + row + "(" + Member(operand) + ".row(row.y()), plan.cols);";
    }
    if (plan_.IsRowBuffer(operand)) {
      return "RowBuffer<" + rule_.TypeName(of.type) + ", kBuffered> " + row + ";";
    }
    return "const auto " + row + (IsUniform(of.map) ? " = row.ValueOf(" : " = row.Of(") +
           Member(operand) + ");";
  }

  /// Whether the first assignment of a value stands in no branch.
  bool IsAssignedAtFirst(int operand) const {
    for (const Phase &phase : plan_.phases) {
      if (CountAssignments(phase.steps, operand) > 0) {
        return BeginsWithAssignment(phase.steps, operand);
      }
    }
    return false;
  }

  /// What picks elements out of the row: anew in each phase, since sweeps may store them.
  std::string Gathers(const PhaseText &phase) {
    std::vector<std::string> lines;
    for (const int i : phase.values) {
      const Operand &gather = plan_.operands[i];
      if (gather.map != IndexMap::kGather) continue;
      const bool is_vector = plan_.rule.params[gather.param].rank == 1;
      const int row =
          plan_.FindOperand(gather.param, is_vector ? IndexMap::kRow : IndexMap::kIdentity);
      const int index = plan_.FindOperand(gather.by, IndexMap::kColumn);
      const std::string declaration = gathered_.insert(i).second ? "auto " : "";
      lines.push_back(declaration + Name(i) + " = row.Element(" + rule_.row_name(row) + ", " +
                      Name(index) + ");\n");
    }
    return Join(lines, "");
  }

  // What is done once, between sweeps.

  /// \param indent columns before it
  std::string Once(const PhaseText &phase, int indent) {
    const auto declaration = [this](const mgen::Step &step) {
      return Declaration(step.operand, AssignmentsOf(step.operand));
    };
    return Gathers(phase) + Results(phase) +
           BodyText(rule_, phase.phase->steps, {OnceStyle(), indent, false, declaration});
  }

  int AssignmentsOf(int value) const {
    int count = 0;
    for (const Phase &phase : plan_.phases) count += CountAssignments(phase.steps, value);
    return count;
  }

  /// What stands before the name of what is assigned, so many times in all.
  std::string Declaration(int operand, int assignments) {
    if (undeclared_.erase(operand) == 0) return "";
    return (assignments == 1 ? "const " : "") + Packet(operand) + " ";
  }

  /// The results of reductions that are read more than once.
  std::string Results(const PhaseText &phase) {
    std::string lines;
    for (const int i : phase.reductions) {
      if (read_[i] < 2 || !finished_.insert(i).second) continue;
      lines += "const auto " + rule_.result_name(i) + " = " + Finish(i) + ";\n";
    }
    return lines;
  }
  std::string Finish(int reduction) const { return rule_.reduction_name(reduction) + ".Finish()"; }

  ExprStyle OnceStyle() const {
    ExprStyle style = rule_.PacketStyle();
    style.leaf = [this, leaf = style.leaf](const Node &node) {
      if (node.op == Op::kReduced) {
        return read_.at(node.index) > 1 ? rule_.result_name(node.index) : Finish(node.index);
      }
      if (node.op == Op::kIndex) return "Row<" + rule_.TypeName(node.type) + ">(place)";
      return leaf(node);
    };
    return style;
  }

  // A sweep over the elements.

  /// \param indent columns before the step's body
  std::string Step(const PhaseText &phase, int indent) {
    const auto declaration = [&](const mgen::Step &step) {
      if (step.again) return std::string();
      return Declaration(step.operand, CountAssignments(phase.phase->steps, step.operand));
    };
    const std::string loads = Loads(phase);
    const std::string body =
        BodyText(rule_, phase.phase->steps, {SweepStyle(phase), indent, true, declaration});
    Values values;
    values.Set("gathers", Gathers(phase))
        .Set("lanes", !plan_.has_phases() && (NamesLanes(loads) || NamesLanes(body)))
        .Set("divisors", Divisors(phase))
        .Set("reductions", plan_.reduces_all() ? "" : Reductions(phase, "row"))
        .Set("next", NextRows(phase))
        .Set("call", Call(phase, indent - 2))
        .Set("prefetches", Prefetches(phase))
        .Set("place", phase.uses_place ? Place(phase) : "")
        .Set("loads", loads)
        .Set("body", body)
        .Set("stores", ElementStores(phase))
        .Set("end", End(phase));
    return RenderTemplate("common/step.tmpl.map.inc", values);
  }

  /// Where the step's lanes are, and which of all elements, where that matters.
  static std::string Place(const PhaseText &phase) {
    const std::string number = phase.uses_number ? ", row.y() * plan.cols + i.x" : "";
    return "const Places at = LanesAt({row.y(), i.x" + number + "}, i.lanes);";
  }

  std::string Divisors(const PhaseText &phase) {
    std::vector<std::string> lines;
    for (const int i : phase.divisors) {
      if (!divisors_.insert(i).second) continue;
      lines.push_back("const auto " + rule_.divisor_name(i) + " = row.DivisorOf(" + Name(i) + ");");
    }
    return Lines(lines);
  }

  std::string Reductions(const PhaseText &phase, const std::string &target) const {
    std::vector<std::string> lines;
    for (const int i : phase.reductions) {
      lines.push_back("RowReduction<" + ReductionArgs(rule_, i) + ", N> " +
                      rule_.reduction_name(i) + "(" + target + ");");
    }
    return Lines(lines);
  }

  static const std::vector<Prefetch> &PrefetchesOf(const PhaseText &phase) {
    return phase.phase->prefetches;
  }
  std::string NextRows(const PhaseText &phase) const {
    std::vector<std::string> lines;
    for (const Prefetch &prefetch : PrefetchesOf(phase)) {
      if (!prefetch.next) continue;
      lines.push_back("const auto " + rule_.next_name(prefetch.operand) + " = row.Next(" +
                      Member(prefetch.operand) + ");");
    }
    return Lines(lines);
  }
  std::string Prefetches(const PhaseText &phase) const {
    std::vector<std::string> lines;
    for (const Prefetch &prefetch : PrefetchesOf(phase)) {
      const std::string &row =
          prefetch.next ? rule_.next_name(prefetch.operand) : rule_.row_name(prefetch.operand);
      lines.push_back("row.Prefetch(" + row + ", i);");
    }
    return Lines(lines);
  }

  /// `row.Sweep([=](auto i, auto &total_lanes) MSHADOW_INLINED {`. The step captures values, which
  /// no store can change; of what holds elements references.
  /// \param indent columns before it
  std::string Call(const PhaseText &phase, int indent) const {
    std::string captures = plan_.reduces_all() && phase.uses_scalars ? "=, &s" : "=";
    for (const Phase::Use &use : phase.phase->operands) {
      const bool is_view = plan_.ViewOf(use.index) && use.load;
      if (is_view || plan_.IsRowBuffer(use.index)) captures += ", &" + rule_.row_name(use.index);
    }
    std::vector<std::string> params = {"auto i"};
    for (const int i : phase.reductions) params.push_back("auto &" + rule_.lanes_name(i));
    const bool reduces = !phase.reductions.empty();
    return RenderList(
        (reduces ? "row.Sweep(" : "row.ForEach(") + Out(phase) + "[" + captures + "](", params,
        ") MSHADOW_INLINED {", kLineWidth - indent);
  }

  /// Where the packets of a sweep begin; of one that reduces, what goes past the cache.
  std::string Out(const PhaseText &phase) const {
    const bool streams = phase.phase->stores_non_temporal;
    if (!phase.reductions.empty()) {
      return streams ? rule_.row_name(plan_.schedule.non_temporal) + ", plan.streams, " : "";
    }
    if (streams) return rule_.row_name(plan_.schedule.non_temporal) + ", ";
    const auto &uses = phase.phase->operands;
    const auto out = std::find_if(uses.begin(), uses.end(), [this](const Phase::Use &use) {
      return !use.store.never() && !plan_.operands[use.index].is_temporary;
    });
    return rule_.row_name(out->index) + ", ";
  }

  std::string End(const PhaseText &phase) const {
    std::vector<std::string> args;
    for (const int i : phase.reductions) args.push_back(rule_.reduction_name(i));
    if (args.empty() && phase.phase->stores_non_temporal) args.emplace_back("plan.streams");
    return (args.empty() ? "}" : "}, ") + Join(args, ", ") + ");";
  }

  std::string Loads(const PhaseText &phase) {
    std::vector<std::string> lines;
    for (const Phase::Use &use : phase.phase->operands) {
      const int i = use.index;
      if (IsUnread(i)) continue;
      if (!use.load && BeginsWithAssignment(phase.phase->steps, i)) {
        undeclared_.insert(i);
        continue;
      }
      if (!use.load) {
        lines.push_back(Packet(i) + " " + Name(i) + ";");
        continue;
      }
      const bool is_given = use.again || !use.store.never();
      const Guard &read = plan_.operands[i].gathered;
      const bool is_guarded = plan_.ViewOf(i) && !read.always();
      const std::string &row = rule_.row_name(i);
      lines.push_back(
          (is_given ? "auto " : "const auto ") + Name(i) + " = " +
          (is_guarded ? "LoadIf<(" + rule_.GuardText(read) + ")>(" + row + ", i)" : row + "[i]") +
          ";");
    }
    return Lines(lines);
  }

  ExprStyle SweepStyle(const PhaseText &phase) const {
    ExprStyle style = rule_.PacketStyle();
    style.leaf = [this, leaf = style.leaf, &phase](const Node &node) {
      if (node.op != Op::kRead) return leaf(node);
      const int operand = plan_.FindOperand(node);
      return phase.divisors.count(operand) != 0 ? rule_.divisor_name(operand) : Name(operand);
    };
    return style;
  }

  /// Stores elements, those under one guard together.
  std::string ElementStores(const PhaseText &phase) const {
    std::vector<std::string> lines;
    std::string open;
    for (const Phase::Use &use : phase.phase->operands) {
      const bool has_memory =
          !plan_.operands[use.index].is_temporary || plan_.IsRowBuffer(use.index);
      if (use.store.never() || !has_memory) continue;
      const std::string guard = use.store.always() ? "" : rule_.GuardText(use.store);
      if (guard != open && !open.empty()) lines.push_back("}");
      if (guard != open && !guard.empty()) lines.push_back("if constexpr (" + guard + ") {");
      open = guard;
      const bool is_streamed = use.index == plan_.schedule.non_temporal;
      lines.push_back((open.empty() ? "" : "  ") + rule_.row_name(use.index) +
                      (is_streamed ? ".PutStreamed(i, " : ".Put(i, ") + Name(use.index) + ");");
    }
    if (!open.empty()) lines.push_back("}");
    return Lines(lines);
  }

  /// Writes the row's values back.
  std::string Stores() const {
    std::vector<std::string> lines;
    for (const int i : rule_.Tensors()) {
      const Operand &operand = plan_.operands[i];
      if (!IsValue(i) || operand.store.never()) continue;
      lines.push_back(
          GuardedLine(rule_, operand.store, "row.Put(" + Member(i) + ", " + Name(i) + ");"));
    }
    if (!lines.empty() && StoresWhatIsRead(plan_) && !HasFinished()) {
      lines.insert(lines.begin(), "row.Sync();  // every thread has read the values");
    }
    return Lines(lines);
  }

  /// Whether the threads of a row wait for each other whatever the conditions are: they do where
  /// the result of a reduction is read.
  bool HasFinished() const {
    for (const Phase &phase : plan_.phases) {
      if (phase.is_sweep) continue;
      for (const mgen::Step &step : phase.steps) {
        if (step.kind == mgen::Step::kIf) continue;
        bool reads = false;
        ForEachNode(step.value,
                    [&reads](const Expr &node) { reads = reads || node->op == Op::kReduced; });
        if (reads) return true;
      }
    }
    return false;
  }

  const PlanText rule_;
  const Plan &plan_;
  const Phase sweep_;  ///< of a kernel over elements
  std::vector<PhaseText> phases_;
  std::map<int, int> read_;
  std::set<int> undeclared_;  ///< operands that are declared where they are assigned
  std::set<int> gathered_, finished_, divisors_;  ///< what was declared so far
};

}  // namespace

bool StoresWhatIsRead(const Plan &plan) {
  if (plan.sweeps() == 0) return false;
  return std::any_of(plan.operands.begin(), plan.operands.end(), [&](const Operand &operand) {
    return operand.map == ValueMap(plan.frame) && operand.load && !operand.store.never();
  });
}

std::string KernelBodyText(const PlanText &rule) {
  KernelBody body(rule);
  return rule.plan().reduces_all() ? body.PhasesText() : body.RowsText();
}

std::string PhaseSuffix(const PhaseText &phase) {
  return (phase.phase->is_sweep ? "Sweep" : "Once") + std::to_string(phase.number);
}

}  // namespace mgen
