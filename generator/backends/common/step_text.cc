// SPDX-License-Identifier: Apache-2.0
#include "backends/common/step_text.h"

#include <algorithm>
#include <cctype>

#include "backends/common/body_text.h"
#include "backends/common/reducer_text.h"
#include "backends/common/view_text.h"
#include "emit/names.h"
#include "emit/template.h"
#include "ir/walk.h"

namespace mgen {
namespace {

int CountAssignments(const std::vector<Step> &steps, int operand) {
  int count = 0;
  ForEachStep(steps, [&](const Step &step) {
    count += step.kind == Step::kAssign && step.operand == operand;
  });
  return count;
}

/// Whether the first assignment of an operand among these steps is not in a branch.
bool BeginsWithAssignment(const std::vector<Step> &steps, int operand) {
  const auto first = std::find_if(steps.begin(), steps.end(), [operand](const Step &step) {
    return CountAssignments({step}, operand) > 0;
  });
  return first != steps.end() && first->kind == Step::kAssign && !first->again;
}

/// A declaration, which goes on in a new line if it is long.
std::string WithinLine(const std::string &declared, const std::string &value) {
  constexpr size_t kMostIndent = 8;
  if (declared.size() + value.size() + kMostIndent <= kLineWidth) return declared + value;
  return declared.substr(0, declared.size() - 1) + "\n    " + value;
}

/// Whether a sweep takes the elements of a row from the first one on, in the order of reductions.
bool IsInOrder(const PhaseText &phase) { return !phase.reductions.empty() || !phase.scans.empty(); }

}  // namespace

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

StepText::StepText(const PlanText &rule) : rule_(rule.InRegion()), plan_(rule.plan()) {
  for (const Phase &phase : plan_.phases) CountResults(phase);
}

void StepText::CountResults(const Phase &phase) {
  ForEachStep(phase.steps, [this](const mgen::Step &step) {
    ForEachNode(step.value, [this](const Expr &node) {
      for (const Expr &arg : node->args) CountResult(*arg);
    });
    CountResult(*step.value);
  });
}

void StepText::CountResult(const Node &node) {
  if (node.op == Op::kReduced) ++read_[node.index];
}

std::string StepText::Packet(int operand) const {
  return rule_.PacketType(plan_.operands[operand].type);
}

bool StepText::IsUnread(int operand) const {
  return plan_.ViewOf(operand) != nullptr && !plan_.operands[operand].load;
}

bool StepText::IsValue(int operand) const {
  return !plan_.kept.is_every() && plan_.operands[operand].axes.is_uniform();
}

std::string StepText::IfUsed(int operand, const std::string &value) const {
  const Guard used = plan_.UsedWhereRun(operand);
  if (used.always()) return value;
  return "When<(" + rule_.GuardText(used) + ")>([&]() MSHADOW_INLINED { return " + value + "; })";
}

std::string StepText::ValueOf(int operand, const std::string &target) const {
  return IfUsed(operand, target + ".ValueOf(" + Member(operand) + ")");
}

std::string StepText::Local(int operand, const std::string &target) {
  const Operand &of = plan_.operands[operand];
  const std::string access = rule_.IsWritten(operand) ? "auto " : "const auto ";
  const bool is_in_step = of.is_temporary && plan_.kept.is_every();
  if (of.axes.is_picked() || IsUnread(operand) || is_in_step) return "";
  if (IsValue(operand)) {
    if (of.load)
      return WithinLine(access + Name(operand) + " = ", ValueOf(operand, target) + ";");
    return Declared(operand, FirstAssigning(operand));
  }
  const std::string &row = rule_.row_name(operand);
  if (of.read && of.read->is_counted) {
    return "const CountedRow " + row + "(" + Member(operand) + ", row.y(), " +
           rule_.ColumnsField() + ");";
  }
  const bool is_collected = plan_.schedule.collected > 0 && of.read && of.axes.is_every();
  if (plan_.schedule.is_tiled(operand) || is_collected) {
    return "const auto " + row + " = RowAcross(" + Member(operand) + ", row);";
  }
  if (of.read) return "const auto " + row + " = RowOf(" + Member(operand) + ", row.y());";
  if (plan_.rule.params[of.param].is_drawn()) {
    return "const DrawnRow " + row + "(" + Member(operand) + ", row.y(), " + rule_.ColumnsField() +
           ");";
  }
  if (plan_.ViewOf(operand)) {
    const std::string type = operand == plan_.schedule.scattered ? "ScatteredValues " : "ViewRow ";
    return "const " + type + row + "(" + Member(operand) + ".row(row.y()), " +
           rule_.ColumnsField() + ");";
  }
  if (plan_.IsRowBuffer(operand)) {
    return "RowBuffer<" + rule_.TypeName(of.type) + ", kBuffered> " + row + ";";
  }
  const bool is_new = IsNew(operand) && SkeletonOf(plan_).copies_rows;
  const std::string word = of.axes.is_uniform() ? "ValueOf"
                           : IsCached(operand)  ? "Cached"
                           : is_new             ? "Into"
                                                : "Of";
  const std::string declared = "const auto " + row + " = ";
  const std::string value = "row." + word + "(" + Member(operand) + ")";
  // Others only say where the row is.
  const bool reads = of.axes.is_uniform() || IsCached(operand) || SkeletonOf(plan_).copies_rows ||
                     plan_.rule.params[of.param].Indices() >= 0;
  return WithinLine(declared, (reads ? IfUsed(operand, value) : value) + ";");
}

bool StepText::IsNew(int operand) const {
  const Operand &of = plan_.operands[operand];
  return of.store.always() &&
         std::none_of(plan_.operands.begin(), plan_.operands.end(), [&of](const Operand &other) {
           return other.param == of.param && other.load;  // itself, or one of its elements
         });
}

bool StepText::IsCached(int operand) const {
  // All rows read the same elements of a vector, which the GPU's own caches keep.
  const bool has_rows = plan_.operands[operand].axes.is_every();
  if (!SkeletonOf(plan_).caches || !has_rows || rule_.IsWritten(operand)) return false;
  int loads = 0;
  for (const Phase &phase : plan_.phases) {
    for (const Phase::Use &use : phase.operands) loads += use.index == operand && use.load;
  }
  return loads > 1;
}

std::string StepText::LeafRow(int reduction) const {
  return "const auto " + rule_.leaf_row_name(reduction) + " = row.Leaf(plan." +
         rule_.reduction_name(reduction) + ", " + ReducerName(rule_, plan_.reductions[reduction]) +
         "());";
}

std::string StepText::Declared(int operand, const std::vector<mgen::Step> &steps) {
  if (!BeginsWithAssignment(steps, operand)) return Packet(operand) + " " + Name(operand) + ";";
  undeclared_.insert(operand);
  return "";
}

std::vector<mgen::Step> StepText::FirstAssigning(int operand) const {
  for (const Phase &phase : plan_.phases) {
    if (CountAssignments(phase.steps, operand) > 0) return phase.steps;
  }
  return {};
}

std::string StepText::Gathers(const PhaseText &phase) {
  std::vector<std::string> lines;
  for (const int i : phase.values) {
    const Operand &gather = plan_.operands[i];
    if (!gather.axes.is_picked()) continue;
    const bool is_vector = plan_.rule.params[gather.param].rank == 1;
    const int row = plan_.FindOperand(gather.param, is_vector ? Axes::Last() : Axes::Every());
    const int index = plan_.FindOperand(gather.by, Axes::Rows());
    const std::string declaration = gathered_.insert(i).second ? "auto " : "";
    const std::string element = "row.Element(" + rule_.row_name(row) + ", " + Name(index) + ")";
    lines.push_back(WithinLine(declaration + Name(i) + " = ", IfUsed(i, element) + ";\n"));
  }
  return Join(lines, "");
}

std::string StepText::Once(const PhaseText &phase, int indent) {
  const auto declaration = [this](const mgen::Step &step) {
    return Declaration(step.operand, AssignmentsOf(step.operand));
  };
  return Gathers(phase) + Results(phase) +
         BodyText(rule_, phase.phase->steps, {OnceStyle(), indent, false, declaration});
}

int StepText::AssignmentsOf(int value) const {
  int count = 0;
  for (const Phase &phase : plan_.phases) count += CountAssignments(phase.steps, value);
  return count;
}

std::string StepText::Declaration(int operand, int assignments) {
  if (undeclared_.erase(operand) == 0) return "";
  return (assignments == 1 ? "const " : "") + Packet(operand) + " ";
}

std::string StepText::Results(const PhaseText &phase) {
  std::string lines;
  for (const int i : phase.reductions) {
    if (read_[i] < 2 || !finished_.insert(i).second) continue;
    lines += "const auto " + rule_.result_name(i) + " = " + Finish(i) + ";\n";
  }
  return lines;
}

std::string StepText::Finish(int reduction) const {
  return rule_.reduction_name(reduction) + ".Finish(" + SkeletonOf(plan_).finish + ")";
}

ExprStyle StepText::OnceStyle() const {
  ExprStyle style = rule_.PacketStyle();
  style.leaf = [this, leaf = style.leaf](const Node &node) {
    if (node.op == Op::kReduced) {
      return read_.at(node.index) > 1 ? rule_.result_name(node.index) : Finish(node.index);
    }
    if (node.op == Op::kIndex && !plan_.kept.has_last())
      return "Row<" + rule_.TypeName(node.type) + ">(place)";
    return leaf(node);
  };
  return style;
}

std::string StepText::Reductions(const PhaseText &phase, const std::string &target) const {
  std::vector<std::string> lines;
  for (const int i : phase.reductions) {
    lines.push_back(SkeletonOf(plan_).reduction + "<" + ReductionArgs(rule_, i) + ", N> " +
                    rule_.reduction_name(i) + "(" + target + ");");
  }
  return Join(lines, "\n");
}

std::string StepText::Step(const PhaseText &phase, int indent) {
  const auto declaration = [&](const mgen::Step &step) {
    if (step.again) return std::string();
    return Declaration(step.operand, CountAssignments(phase.phase->steps, step.operand));
  };
  const std::string loads = Loads(phase);
  const std::string body =
      BodyText(rule_, phase.phase->steps, {SweepStyle(phase), indent, true, declaration});
  Values values;
  values.Set("gathers", Gathers(phase))
      .Set("lanes", plan_.kept.is_every() && (NamesLanes(loads) || NamesLanes(body)))
      .Set("divisors", Divisors(phase))
      .Set("reductions", SkeletonOf(plan_).shows_loops ? "" : Reductions(phase, "row"))
      .Set("scans", Scans(phase))
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

std::string StepText::Scans(const PhaseText &phase) const {
  std::vector<std::string> lines;
  for (const mgen::Step *scan : phase.scans) {
    lines.push_back(ScanClass(rule_, *scan->value) + " " + rule_.scan_name(scan->let) + "(row);");
  }
  return Join(lines, "\n");
}

std::string StepText::Rows(const PhaseText &phase) {
  std::vector<std::string> lines;
  for (const Phase::Use &use : phase.phase->operands) {
    const std::string line = Local(use.index);
    if (!line.empty()) lines.push_back(line);
  }
  for (const int i : phase.values) {
    if (!plan_.operands[i].axes.is_rows()) continue;
    lines.push_back(WithinLine("const auto " + Name(i) + " = ", ValueOf(i, "row") + ";"));
  }
  return Join(lines, "\n");
}

std::string StepText::LeafLoopHead(const PhaseText &phase, int indent) const {
  std::vector<std::string> operands;
  for (const int i : phase.phase->runs_of) operands.push_back(Member(i));
  const int width = kLineWidth - indent;
  const std::string leaf =
      RenderList("for (auto leaf = " + Unit() + ".leaves(", operands, ");", width);
  const std::string rest = "!leaf.done(); leaf.next()) {";
  const bool fits = leaf.size() + 1 + rest.size() <= static_cast<size_t>(width);
  return leaf + (fits ? " " : "\n     ") + rest;
}

std::string StepText::LeafLoop(const PhaseText &phase, const std::string &values, int indent) {
  Values of;
  of.Set("loop", LeafLoopHead(phase, indent))
      .Set("values", values)
      .Set("begin", ForReductions(rule_, phase, ".Begin();"))
      .Set("rows", Rows(phase))
      .Set("by", phase.phase->takes_four_rows ? "fours" : "rows")
      .Set("sweep", Step(phase, indent + 6))
      .Set("push", ForReductions(rule_, phase, ".Push(leaf);"));
  return RenderTemplate("common/leaves.tmpl.map.inc", of);
}

std::string StepText::RowLoop(const PhaseText &phase, int indent) {
  Values of;
  of.Set("target", Unit()).Set("rows", Rows(phase)).Set("sweep", Step(phase, indent + 4));
  return RenderTemplate("common/rows.tmpl.map.inc", of);
}

std::string StepText::Place(const PhaseText &phase) {
  const std::string number = phase.uses_number ? ", row.number() + i.x" : "";
  return "const Places at = LanesAt({row.y(), i.x" + number + "}, i.lanes);";
}

std::string StepText::Divisors(const PhaseText &phase) {
  std::vector<std::string> lines;
  for (const int i : phase.divisors) {
    if (!divisors_.insert(i).second) continue;
    lines.push_back("const auto " + rule_.divisor_name(i) + " = row.DivisorOf(" + Name(i) + ");");
  }
  return Join(lines, "\n");
}

const std::vector<Prefetch> &StepText::PrefetchesOf(const PhaseText &phase) {
  return phase.phase->prefetches;
}

std::string StepText::NextRows(const PhaseText &phase) const {
  std::vector<std::string> lines;
  for (const Prefetch &prefetch : PrefetchesOf(phase)) {
    if (!prefetch.next) continue;
    lines.push_back("const auto " + rule_.next_name(prefetch.operand) + " = row.Next(" +
                    Member(prefetch.operand) + ");");
  }
  return Join(lines, "\n");
}

std::string StepText::Prefetches(const PhaseText &phase) const {
  std::vector<std::string> lines;
  for (const Prefetch &prefetch : PrefetchesOf(phase)) {
    const std::string &row =
        prefetch.next ? rule_.next_name(prefetch.operand) : rule_.row_name(prefetch.operand);
    lines.push_back("row.Prefetch(" + row + ", i);");
  }
  return Join(lines, "\n");
}

std::string StepText::Call(const PhaseText &phase, int indent) const {
  const bool has_loops_around = SkeletonOf(plan_).shows_loops;
  std::string captures = has_loops_around && phase.uses_scalars ? "=, &s" : "=";
  for (const Phase::Use &use : phase.phase->operands) {
    const std::optional<IndexedRead> &read = plan_.operands[use.index].read;
    // A large view is more than a few numbers. To copy it for each row takes as long as packets.
    const bool is_large = !read || read->is_counted || !read->reducer.empty() || read->holding ||
                          read->is_nested();
    const bool is_view = plan_.ViewOf(use.index) && use.load;
    if ((is_view && is_large) || plan_.IsRowBuffer(use.index))
      captures += ", &" + rule_.row_name(use.index);
  }
  std::vector<std::string> params = {"auto i"};
  for (const int i : phase.reductions) params.push_back("auto &" + rule_.lanes_name(i));
  for (const mgen::Step *scan : phase.scans) captures += ", &" + rule_.scan_name(scan->let);
  return RenderList(
      (IsInOrder(phase) ? "row.Sweep(" : "row.ForEach(") + Out(phase) + "[" + captures + "](",
      params, ") MSHADOW_INLINED {", kLineWidth - indent);
}

std::string StepText::Out(const PhaseText &phase) const {
  const bool streams = phase.phase->stores_non_temporal;
  if (IsInOrder(phase)) {
    return streams ? rule_.row_name(plan_.schedule.non_temporal) + ", plan.streams, " : "";
  }
  const auto &uses = phase.phase->operands;
  const auto out = std::find_if(uses.begin(), uses.end(), [this](const Phase::Use &use) {
    return !use.store.never() && !plan_.operands[use.index].is_temporary;
  });
  return Inside(phase, streams ? plan_.schedule.non_temporal : out->index) + ", ";
}

namespace {

/// Whether elements of a row of a read may be outside of the tensor.
struct Edge {
  bool some = false;  ///< some of them, while others are in the tensor
  bool all = false;   ///< all of them
};

Edge EdgeOf(const IndexedRead &read) {
  if (read.moved) {
    const bool is_padded = read.moved->Has("Pad") && !read.moved->Has("Joined");
    return {is_padded, is_padded};
  }
  const bool has_rows =
      !read.is_counted && read.reducer.empty() && !read.holding && read.sources.size() == 1;
  if (!has_rows) return {};
  const int last = static_cast<int>(read.extents.size()) - 1;
  const std::vector<IndexedRead::Bound> &bounds = read.sources.front().bounds;
  const bool is_along = std::any_of(bounds.begin(), bounds.end(), [last](const auto &bound) {
    return bound.index.FactorOfAxis(last) != 0;
  });
  return {is_along, !bounds.empty()};
}

}  // namespace

std::string StepText::Inside(const PhaseText &phase, int out) const {
  if (const int scattered = plan_.schedule.scattered; scattered >= 0) {
    return "Scattered(" + rule_.row_name(out) + ", " + rule_.row_name(scattered) + ")";
  }
  std::vector<std::string> rows = {rule_.row_name(out)};
  bool has_some = false;
  for (const Phase::Use &use : phase.phase->operands) {
    const std::optional<IndexedRead> &read = plan_.operands[use.index].read;
    const Edge edge = read && use.load ? EdgeOf(*read) : Edge();
    has_some = has_some || edge.some;
    if (edge.some || edge.all) rows.push_back(rule_.row_name(use.index));
  }
  const bool is_alone = !has_some || SkeletonOf(plan_).shows_loops;
  return is_alone ? rows.front() : "Inside(" + Join(rows, ", ") + ")";
}

std::string StepText::End(const PhaseText &phase) const {
  std::vector<std::string> args;
  for (const int i : phase.reductions) args.push_back(rule_.reduction_name(i));
  if (!IsInOrder(phase) && phase.phase->stores_non_temporal) args.emplace_back("plan.streams");
  return (args.empty() ? "}" : "}, ") + Join(args, ", ") + ");";
}

std::string StepText::Load(int operand, bool is_written, bool again) const {
  const Guard used = plan_.UsedWhereRun(operand);
  const std::string &row = rule_.row_name(operand);
  std::string condition = used.always() ? "" : rule_.GuardText(used);
  if (again) condition = used.always() ? "!kBuffered" : "(" + condition + ") && !kBuffered";
  const std::string load =
      condition.empty() ? row + "[i];" : "LoadIf<(" + condition + ")>(" + row + ", i);";
  return WithinLine((is_written ? "auto " : "const auto ") + Name(operand) + " = ", load);
}

std::string StepText::Loads(const PhaseText &phase) {
  std::vector<std::string> lines;
  for (const int i : phase.values) {
    if (plan_.IsOfColumn(plan_.operands[i].axes)) lines.push_back(Load(i, false));
  }
  for (const Phase::Use &use : phase.phase->operands) {
    const int i = use.index;
    if (IsUnread(i)) continue;
    if (!use.load) {
      const std::string declared = Declared(i, phase.phase->steps);
      if (!declared.empty()) lines.push_back(declared);
      continue;
    }
    lines.push_back(Load(i, use.again || !use.store.never(), phase.again.count(i) != 0));
  }
  for (const int i : phase.leaves) {
    lines.push_back("auto " + rule_.lanes_name(i) + " = " + rule_.leaf_row_name(i) + "[i];");
  }
  return Join(lines, "\n");
}

ExprStyle StepText::SweepStyle(const PhaseText &phase) const {
  ExprStyle style = rule_.PacketStyle();
  style.leaf = [this, leaf = style.leaf, &phase](const Node &node) {
    if (node.op != Op::kRead) return leaf(node);
    const int operand = plan_.FindOperand(node);
    return phase.divisors.count(operand) != 0 ? rule_.divisor_name(operand) : Name(operand);
  };
  return style;
}

std::string StepText::ElementStores(const PhaseText &phase) const {
  std::vector<std::string> lines;
  std::string open;
  for (const Phase::Use &use : phase.phase->operands) {
    const bool has_memory = !plan_.operands[use.index].is_temporary || plan_.IsRowBuffer(use.index);
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
  for (const int i : phase.leaves) {
    lines.push_back(rule_.leaf_row_name(i) + ".Put(i, " + rule_.lanes_name(i) + ");");
  }
  return Join(lines, "\n");
}

}  // namespace mgen
