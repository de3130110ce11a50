// SPDX-License-Identifier: Apache-2.0
#include "driver/report.h"

#include <llvm/ADT/StringRef.h>

#include <map>

#include "backends/common/plan_text.h"
#include "driver/exit_code.h"
#include "driver/files.h"
#include "driver/rule_json.h"
#include "driver/suggest.h"
#include "emit/determinism.h"
#include "emit/names.h"
#include "emit/template.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// The Plans of the kernels called `kernel`.
std::vector<Plan> Select(const Compilation &compilation, const std::string &kernel) {
  std::vector<Plan> selected;
  std::vector<std::string> names;
  for (const Plan &plan : compilation.Plans()) {
    const std::string qualified = QualifiedName(plan.rule);
    names.insert(names.end(), {plan.rule.name, plan.rule.cpp_name(), qualified});
    if (kernel.empty() || kernel == plan.rule.name || kernel == plan.rule.cpp_name() ||
        kernel == qualified) {
      selected.push_back(plan);
    }
  }
  if (selected.empty() && !kernel.empty()) {
    throw UsageError("there is no kernel named '" + kernel + "'" + DidYouMean(kernel, names));
  }
  return selected;
}

/// "f32 f16 bf16", "f32,i32 f16,i32".
std::string InstancesText(const Json &instances) {
  std::vector<std::string> tuples;
  for (const Json &kinds : instances) {
    tuples.push_back(Join(kinds.get<std::vector<std::string>>(), ","));
  }
  return Join(tuples, " ");
}

std::string Row(const std::string &label, const std::string &text) {
  std::string row = "  " + label;
  row.resize(std::max(row.size() + 1, size_t{14}), ' ');
  return row + text + "\n";
}

/// `text` with the values of an object for "{key}", or those of a list for "{0}", "{1}".
std::string Fill(llvm::StringRef text, const Json &values) {
  std::string filled;
  while (!text.empty()) {
    const auto [plain, hole] = text.split('{');
    const auto [key, rest] = hole.split('}');
    filled += plain;
    if (!key.empty()) {
      filled += TextOf(values.is_array() ? values[std::stoul(key.str())] : values[key.str()]);
    }
    text = rest;
  }
  return filled;
}

std::string Plural(int n, const std::string &noun) {
  const bool sibilant = noun.back() == 's';
  return std::to_string(n) + " " + noun + (n == 1 ? "" : sibilant ? "es" : "s");
}

/// For a vector or a scalar tensor: what each of its elements belongs to, such as a row. "" for a
/// tensor that has all elements.
std::string ValuesText(const std::string &map) {
  return map == "row"       ? ", one value per column"
         : map == "column"  ? ", one value per row"
         : map == "channel" ? ", one value per channel"
         : map == "rest"    ? ", one value for each index of the other dimensions"
         : map == "one"     ? ", one value"
                            : "";
}

/// "load, store", and what is special about the operand.
std::string OperandText(const Json &operand) {
  std::string text = Fill("{name}: {type}", operand);
  if (operand.contains("view")) text += Fill(", {view}", operand);
  text += ValuesText(operand["map"]);
  if (operand["load"]) text += ", load";
  if (operand["store"] == "always") text += ", store";
  if (operand["store"] == "conditional") text += ", store in some variants";
  return text;
}

/// The lines of one section. The first one has the label.
class Section {
 public:
  Section(const char *label, std::string *text) : label_(label), text_(text) {}
  void Add(const std::string &line) {
    *text_ += Row(label_, line);
    label_ = "";
  }

 private:
  const char *label_;
  std::string *text_;
};

std::string FusionText(const Json &kernel, int statements) {
  return Plural(statements, "statement") + " in " + Plural(kernel["passes"], "pass") +
         "; unfused " + Plural(kernel["unfused_passes"], "pass");
}

/// "1 to 3 and 5", "6, 9 and 10".
std::string NumbersText(const std::vector<int> &numbers) {
  std::vector<std::string> ranges;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    const std::string first = std::to_string(numbers[i]), last = std::to_string(numbers[end - 1]);
    ranges.push_back(end - i > 2 ? first + " to " + last : first);
    if (end - i == 2) ranges.push_back(last);
    i = end;
  }
  return JoinAnd(ranges);
}

/// "12 flops, exp", "2 flops, 2 log".
std::string WorkText(const Json &part) {
  std::string text = Plural(part["flops"], "flop");
  for (const auto &[name, count] : part["functions"].items()) {
    text += ", " + (count == 1 ? "" : count.dump() + " ") + name;
  }
  return text;
}

std::string NamesText(const char *verb, const Json &names) {
  if (names.empty()) return "";
  return std::string("; ") + verb + " " + JoinAnd(names.get<std::vector<std::string>>());
}

/// "row" or "channel", if a kernel makes its passes over each row or channel; "" otherwise.
std::string PassedOver(const Json &kernel, const Json &stage) {
  const Json &launched = stage.is_null() ? kernel : kernel["stages"][stage.get<size_t>()];
  if (launched["sweeps_per_row"] == 0) return "";
  std::string split = launched["launch"]["split"];
  split.pop_back();
  return split;
}

/// The sweeps and epilogues, and why there are several sweeps. All sweeps over each row are one
/// pass over memory. Sweeps are numbered within a kernel, passes within the rule.
std::string PartsText(const Json &kernel) {
  std::string text;
  int passes = 0, sweeps = 0;
  Json swept;  // the stage of the sweeps
  for (const Json &part : kernel["parts"]) {
    const Json stage = part.value("stage", Json());
    if (stage != swept) sweeps = 0;
    swept = stage;
    const bool is_sweep = part["kind"] == "sweep", is_product = part["kind"] == "product",
               is_scatter = part["kind"] == "scatter", is_sort = part["kind"] == "sort";
    const std::vector<int> numbers = part["statements"];
    std::string line = numbers.size() == 1 ? "statement " : "statements ";
    line += NumbersText(numbers) + NamesText("loads", part["loads"]) +
            NamesText("stores", part["stores"]) + NamesText("reduces", part["reduces"]);
    if (is_sweep || is_scatter) {
      line += Fill("; {bytes_per_element} bytes, ", part) + WorkText(part) + " per element";
    }
    if (is_sort) line += Fill("; {bytes_per_element} bytes per element", part);
    const std::string over = is_sweep ? PassedOver(kernel, stage) : "";
    const bool may_be_left_out = part.contains("may_be_left_out");
    const std::string label = is_product        ? "product"
                              : is_scatter      ? "scatter-add"
                              : is_sort         ? "sort"
                              : may_be_left_out ? "or pass"
                              : !is_sweep       ? "epilogue"
                              : !over.empty()   ? over + " pass " + std::to_string(++sweeps)
                                                : "pass " + std::to_string(++passes);
    text += Row(label, line);
    if (may_be_left_out) {
      text += Row("", "left out where the kernel over rows computes the same for 32 rows each");
    }
    if (!part.contains("begins_because")) continue;
    text += Row("", Fill("separate: statement {statement} (line {line}) reads {reads}, which is "
                         "complete only after statement {given_by} (line {given_at})",
                         part["begins_because"]));
  }
  return text;
}

std::string LaunchText(const Json &launch) {
  const Json &gpu = launch["gpu"];
  std::string text = Row(
      "launch", Fill("CPU: packets of {baseline} elements (baseline), {avx2} (avx2) or {avx512} "
                     "(avx512), for the first of the types; ",
                     launch["lanes"]) +
                    "threads split the " + TextOf(launch["split"]));
  if (launch["streamed"].is_string()) {
    text +=
        Row("", Fill("CPU: {streamed} is written with non-temporal stores if a launch moves more "
                     "bytes than the cache holds",
                     launch));
  }
  if (launch.contains("short_rows")) {
    text += Row("", Fill("CPU: rows of {short_rows}; a packet has elements of several", launch));
  }
  if (launch.contains("tiled")) {
    const std::vector<std::string> tiled = launch["tiled"];
    text += Row("", "CPU: " + JoinAnd(tiled) + " in tiles, which are transposed in the cache");
  }
  if (launch["waits_for_divider"]) {
    text += Row("",
                "CPU: divisions and square roots take longest, so a CPU that lowers its clock for "
                "avx512 runs avx2");
  }
  const Json orders = launch.value("orders", Json::object());
  for (const auto &[name, order] : orders.items()) {
    const std::vector<std::string> reductions = order["reductions"];
    text += Row("", JoinAnd(reductions) + " by " + name + ": " + TextOf(order["tree"]));
  }
  if (launch.contains("leaves")) {
    std::vector<std::string> names = launch["leaves"];
    text += Row("", "computes " + JoinAnd(names) + " of 32 rows each, where that is faster");
  }
  std::string on_gpu = Fill("GPU: blocks of {threads_per_block} threads", gpu);
  if (gpu.contains("vector")) {
    on_gpu += Fill(
        "; a thread loads vectors of {vector} elements where memory is aligned, "
        "{vectors_in_flight} at a time",
        gpu);
  }
  return text + Row("", on_gpu);
}

/// The memory that a launch needs between its passes.
std::string WorkspaceText(const Json &kernel) {
  if (kernel["workspace_bytes"] > 0) {
    return Row("workspace", Fill("{workspace_bytes} bytes per launch: on the CPU from the caller's "
                                 "stack, on a GPU from the stream's workspace",
                                 kernel));
  }
  const Json &per_column = kernel["workspace_per_column"];
  const int per_part = per_column["bytes_per_part"], besides = per_column["bytes"];
  if (per_part + besides == 0) return "";
  return Row("workspace", "CPU, for each column: " + Plural(per_part, "byte") +
                              " for each chunk of the rows" +
                              (besides > 0 ? ", and " + Plural(besides, "byte") + " more" : "") +
                              ", from the calling thread's workspace");
}

/// The kernels of a rule: itself, or those of its stages.
std::vector<const Json *> Launched(const Json &kernel) {
  if (kernel.contains("launch")) return {&kernel};
  std::vector<const Json *> launched;
  for (const Json &stage : kernel["stages"]) {
    if (stage["kind"] == "kernel") launched.push_back(&stage);
  }
  return launched;
}

std::string StatementsOf(const Json &stage) {
  std::vector<int> numbers = stage.value("made_for", std::vector<int>());
  for (const Json &statement : stage["statements"]) numbers.push_back(statement["number"]);
  return (numbers.size() == 1 ? "of statement " : "of statements ") + NumbersText(numbers);
}

/// How often the kernels go over each row.
std::string RowsText(const Json &kernel) {
  std::string text;
  for (const Json *launched : Launched(kernel)) {
    const int sweeps = (*launched)["sweeps_per_row"];
    if (sweeps == 0) continue;
    const std::string of = launched == &kernel ? "" : "; " + StatementsOf(*launched);
    text += Row((*launched)["launch"]["split"],
                sweeps == 1 ? "one pass over each" + of
                            : std::to_string(sweeps) + " passes over each, from cache after the " +
                                  "first" + of);
  }
  return text;
}

/// Where the values of a temporary with this map are.
std::string PlaceText(const std::string &map) {
  const std::string values = ValuesText(map);
  if (map == "row" || map == "rest") return values;
  return map == "row buffer" ? ", on CPUs computed once per row, and kept for the later row passes"
         : map == "one"      ? values + ", in the workspace between the passes"
         : map == "memory"   ? ", in the workspace of the calling thread (CPU) or the stream (GPU)"
                             : values + ", in registers";
}

/// Which kernels are not fused because of slices of a tensor.
std::string ApartText(const Json &kernel) {
  std::string text;
  for (const Json &stage : kernel["stages"]) {
    if (!stage.contains("apart")) continue;
    text +=
        Row("separate", StatementsOf(stage) +
                            Fill(": {0} and {1} may overlap, or differ in shape", stage["apart"]));
  }
  return text;
}

std::string KernelText(const Json &kernel) {
  std::string text = kernel["namespace"] == "" ? "" : Fill("{namespace}::", kernel);
  text += Fill("{name}  ({spec}:{line})\n", kernel);
  int count = 0;
  std::string statements;
  Section section("statements", &statements);
  for (const Json &stage : kernel["stages"]) {
    for (const Json &statement : stage["statements"]) {
      section.Add(Fill("{number}  {text}  (line {line})", statement));
      ++count;
    }
  }
  text += Row("types", InstancesText(kernel["instances"])) + statements;
  text += Row("fused", FusionText(kernel, count)) + ApartText(kernel);
  const bool has_product =
      std::any_of(kernel["stages"].begin(), kernel["stages"].end(),
                  [](const Json &stage) { return stage.value("kind", "") == "product"; });
  text += Row("bytes", Fill("{bytes_per_element} per element, for the first of the types; unfused "
                            "{unfused_bytes_per_element}",
                            kernel) +
                           (has_product ? "; matrix products not counted" : ""));
  text += RowsText(kernel);
  text += PartsText(kernel);
  Section operands("operands", &text), temporaries("temporaries", &text), scalars("scalars", &text),
      conditions("conditions", &text), in_place("in place", &text),
      performance("performance", &text);
  for (const Json &operand : kernel["operands"]) operands.Add(OperandText(operand));
  for (const Json &temporary : kernel["temporaries"]) {
    temporaries.Add(Fill("{name}: {type}", temporary) + PlaceText(temporary["map"]));
  }
  for (const Json *launched : Launched(kernel)) text += WorkspaceText(*launched);
  for (const Json &scalar : kernel["scalars"]) {
    if (scalar["name"] == scalar["value"]) continue;  // an unchanged argument
    scalars.Add(Fill("{name} = {value}", scalar));
  }
  for (const Json &condition : kernel["conditions"]) {
    conditions.Add(Fill("{name} = {value}", condition));
  }
  for (const Json &pair : kernel["in_place"]) {
    in_place.Add(Fill("{0} and {1} may be the same memory", pair));
  }
  for (const Json *launched : Launched(kernel)) {
    if (launched != &kernel) text += Row("kernel", StatementsOf(*launched));
    text += LaunchText((*launched)["launch"]);
  }
  for (const Json &note : kernel["performance"]) performance.Add(note);
  return text;
}

/// "  mean: f32, state = 0.0, read, written".
std::string ParamText(const Json &param) {
  std::string text = Fill("  {name}: {type} {kind}", param);
  if (param["role"] != "") text += Fill(", {role}", param);
  for (const char *key : {"initial", "default"}) {
    if (param.contains(key)) text += " = " + param[key].dump();
  }
  if (param.value("read", false)) text += ", read";
  if (param.value("written", false)) text += ", written";
  return text + "\n";
}

/// How the kernel's bits may differ with these numerics; "" for strict.
std::string NumericsText(const Plan &plan, Numerics numerics) {
  if (numerics == Numerics::kStrict) return "";
  std::string text = NameOf(numerics);
  if (numerics == Numerics::kFast) {
    text += ", " + Plural(CountApproximations(plan, numerics), "operation") +
            " approximated within " + std::to_string(kFastUlps) + " ULP";
  }
  return Row("numerics", text);
}

/// Whether the kernel's bits are the same everywhere, and if not, why.
std::string DeterminismText(const Plan &plan, Numerics numerics) {
  const std::optional<DeterminismLimit> limit = LimitOf(plan.rule, numerics);
  return Row("determinism",
             limit ? "from run to run only, because " + limit->reason : "everywhere");
}

/// Text, escaped for HTML.
std::string Escaped(const std::string &text) {
  static const std::map<char, const char *> entities = {
      {'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}};
  std::string escaped;
  for (const char c : text) {
    const auto entity = entities.find(c);
    escaped += entity == entities.end() ? std::string(1, c) : entity->second;
  }
  return escaped;
}

size_t CountStatements(const Rule &rule) {
  size_t count = 0;
  ForEachStatement(rule,
                   [&](const Statement &s) { count += s.kind != Statement::kIf && !s.is_made; });
  return count;
}

constexpr int kPixelsPerByte = 3;

Values HtmlRow(const Plan &plan) {
  const std::string name = QualifiedName(plan.rule);
  Values row;
  row.Set("id", Escaped(name))
      .Set("name", Escaped(name))
      .Set("statements", std::to_string(CountStatements(plan.rule)))
      .Set("passes", std::to_string(plan.passes()))
      .Set("unfused_passes", std::to_string(plan.unfused_passes))
      .Set("bytes", std::to_string(plan.bytes))
      .Set("unfused_bytes", std::to_string(plan.unfused_bytes))
      .Set("width", std::to_string(plan.bytes * kPixelsPerByte))
      .Set("unfused_width", std::to_string(plan.unfused_bytes * kPixelsPerByte));
  return row;
}

Json KernelsJson(const Compilation &compilation, Numerics numerics, const std::string &kernel) {
  Json kernels = Json::array();
  for (const Plan &plan : Select(compilation, kernel)) {
    kernels.push_back(KernelJson(plan));
    kernels.back()["determinism"] = NameOf(DeterminismOf(plan.rule, numerics));
    if (numerics != Numerics::kFast) continue;
    kernels.back()["approximate"] = CountApproximations(plan, numerics);
  }
  return {{"numerics", NameOf(numerics)}, {"kernels", kernels}};
}

/// JSON for a script element, which "</" could end.
std::string ScriptText(const Json &json) {
  std::string text = ToText(json);
  for (size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3) {
    text.insert(at + 1, "\\");
  }
  return text.substr(0, text.size() - 1);
}

}  // namespace

std::string QualifiedName(const Rule &rule) {
  const std::string scope = Join(rule.namespaces, "::");
  return scope.empty() ? rule.name : scope + "::" + rule.name;
}

std::string ReportText(const Compilation &compilation, Numerics numerics,
                       const std::string &kernel) {
  std::vector<std::string> texts;
  for (const Plan &plan : Select(compilation, kernel)) {
    texts.push_back(KernelText(KernelJson(plan)) + NumericsText(plan, numerics) +
                    DeterminismText(plan, numerics));
  }
  return Join(texts, "\n");
}

std::string ReportJson(const Compilation &compilation, Numerics numerics,
                       const std::string &kernel) {
  return ToText(KernelsJson(compilation, numerics, kernel));
}

std::string ReportHtml(const Compilation &compilation, Numerics numerics, const std::string &base,
                       const std::map<std::string, std::string> &loops) {
  Values::List kernels;
  for (const Plan &plan : compilation.Plans()) {
    const std::string name = QualifiedName(plan.rule);
    kernels.push_back(HtmlRow(plan).Set("text", Escaped(ReportText(compilation, numerics, name))));
  }
  Json report = KernelsJson(compilation, numerics, "");
  report["loops"] = loops;
  for (const SpecUnit &spec : compilation.specs) report["specs"][spec.name] = ReadFile(spec.path);
  Values values;
  values.Set("base", base).Set("kernels", kernels).Set("json", ScriptText(report));
  return RenderTemplate("report/target.tmpl.html", values);
}

std::string ListText(const Compilation &compilation) {
  std::string text;
  for (const Plan &plan : compilation.Plans()) {
    const Json rule = RuleJson(plan);
    text += QualifiedName(plan.rule) + "  " + InstancesText(rule["instances"]) + "  " +
            plan.rule.spec + "\n";
    for (const Json &param : rule["params"]) text += ParamText(param);
  }
  return text;
}

}  // namespace mgen
