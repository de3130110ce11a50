// SPDX-License-Identifier: Apache-2.0
// adamw.gen.cc: the function that runs the stages of a rule, kernels and calls, in order.
#include <algorithm>
#include <set>

#include "backends/common/host_formula.h"
#include "backends/common/view_text.h"
#include "backends/cpu/pieces.h"
#include "emit/comment.h"
#include "emit/names.h"
#include "emit/template.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// Makes names, such as "product2", that differ from those of the rule's parameters.
class Names {
 public:
  explicit Names(const PlanText &rule) {
    for (size_t i = 0; i < rule.plan().rule.params.size(); ++i) {
      taken_.push_back(rule.param_name(static_cast<int>(i)));
    }
  }
  std::string operator()(std::string name) const {
    while (std::find(taken_.begin(), taken_.end(), name) != taken_.end()) name += "_";
    return name;
  }

 private:
  std::vector<std::string> taken_;
};

std::string Numbered(const PlanText &rule, const char *name, size_t stage) {
  return Names(rule)(name + std::to_string(stage + 1));
}

/// The checks of all tensors of the rule, of any shape.
std::string Arguments(const PlanText &rule) {
  std::vector<std::string> lines;
  for (int i : TensorParams(rule)) {
    lines.push_back(RenderList("check.Argument(",
                               {"\"" + rule.plan().rule.params[i].name + "\"", rule.param_name(i),
                                "mshadow::Access::kRead", "mshadow::OperandMap::kSource"},
                               ");", kLineWidth - 2));
  }
  return Join(lines, "\n");
}

std::vector<int> Workspaces(const PlanText &rule) {
  std::vector<int> workspaces;
  const std::vector<Param> &params = rule.plan().rule.params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (params[i].is_workspace) workspaces.push_back(static_cast<int>(i));
  }
  return workspaces;
}

/// The rule's temporaries, which do not have memory yet.
std::string Shapes(const PlanText &rule) {
  std::vector<std::string> lines;
  HostFormulas formulas(rule, &lines);
  for (int i : Workspaces(rule)) {
    const Param &param = rule.plan().rule.params[i];
    const std::string type = rule.TypeName(param.type);
    const std::string head = "mshadow::TensorArg<" + type + "> " + rule.param_name(i) + " = ";
    if (param.shape_of >= 0) {
      lines.push_back(head + "mshadow::ShapedAs<" + type + ">(" + rule.param_name(param.shape_of) +
                      ");");
      continue;
    }
    std::vector<std::string> extents;
    for (const Expr &extent : param.extents) {
      extents.push_back(formulas.Text(extent, rule.HostStyle()));
    }
    lines.push_back(RenderList(
        head + "mshadow::Shaped<" + type + ">(",
        {"\"" + rule.rule() + "\"", "\"" + param.name + "\"", "{" + Join(extents, ", ") + "}"},
        ");", kLineWidth - 2));
  }
  return Join(lines, "\n");
}

std::string Memory(const PlanText &rule) {
  std::vector<std::string> args = {"device", "stream"};
  for (int i : Workspaces(rule)) args.push_back(rule.param_name(i));
  return RenderList("const mshadow::StageMemory " + Names(rule)("memory") + "(", args, ");",
                    kLineWidth - 2);
}

/// The name of a tensor in messages.
std::string OperandName(const PlanText &rule, int tensor) {
  const Param &param = rule.plan().rule.params[tensor];
  return param.is_part() ? ViewNameOfParam(rule, tensor) : param.name;
}

std::string FactorText(const PlanText &rule, const Factor &factor) {
  const std::string name = "\"" + OperandName(rule, factor.tensor) + "\"";
  return "{" + name + ", " + rule.param_name(factor.tensor) + (factor.transposed ? ", true}" : "}");
}

/// `line`, under the call's condition if it has one.
std::string Guarded(const PlanText &rule, const StageCall &call, const std::string &line) {
  if (call.condition < 0) return line;
  const std::string condition = "if (s." + rule.condition_member(call.condition) + ") ";
  if (line.find('\n') == std::string::npos) return condition + line;
  return condition + "{\n" + Indented(line) + "\n}";
}

/// `const mshadow::LaunchProduct<DType> product1{…};`, and its check.
std::string ProductText(const PlanText &rule, const StageCall &product, const std::string &name) {
  static constexpr const char *kSavers[] = {"kSave", "kPlus", "kMinus"};
  const std::string type = rule.TypeName(rule.plan().rule.params[product.target].type);
  std::vector<std::string> fields = {FactorText(rule, {product.target}),
                                     FactorText(rule, product.left),
                                     FactorText(rule, product.right)};
  if (product.saver != Saver::kSave || product.scale >= 0) {
    fields.push_back(std::string("mshadow::ProductSaver::") +
                     kSavers[static_cast<int>(product.saver)]);
  }
  if (product.scale >= 0) fields.push_back("s." + rule.scalar_name(product.scale));
  const std::string head = "const mshadow::LaunchProduct<" + type + "> " + name;
  const std::string check =
      "mshadow::CheckProduct(device, \"" + rule.rule() + "\", " + name + ", stream);";
  return RenderList(head + "{", fields, "};", kLineWidth - 2) + "\n" +
         Guarded(rule, product, check);
}

/// The template arguments of a scatter-add: "<true, DType, IType>".
std::string ScatterTypes(const PlanText &rule, const StageCall &scatter) {
  const auto type = [&rule](int tensor) {
    return rule.TypeName(rule.plan().rule.params[tensor].type);
  };
  return TemplateArgs(
      {scatter.clips ? "true" : "false", type(scatter.target), type(scatter.left.tensor)});
}

/// `const mshadow::LaunchScatter<true, DType, IType> scatter1{…};`, and its check.
std::string ScatterText(const PlanText &rule, const StageCall &scatter, const std::string &name) {
  const std::vector<std::string> fields = {FactorText(rule, {scatter.target}),
                                           FactorText(rule, scatter.left),
                                           FactorText(rule, scatter.right)};
  const std::string head =
      "const mshadow::LaunchScatter" + ScatterTypes(rule, scatter) + " " + name;
  return RenderList(head + "{", fields, "};", kLineWidth - 2) + "\n" +
         Guarded(rule, scatter,
                 "mshadow::CheckScatter(device, \"" + rule.rule() + "\", " + name + ");");
}

/// The template arguments of a sort: "<DType, IType>".
std::string SortTypes(const PlanText &rule, const StageCall &call) {
  const auto type = [&rule](int tensor) {
    return rule.TypeName(rule.plan().rule.params[tensor].type);
  };
  return TemplateArgs(
      {type(call.left.tensor), call.sort.columns < 0 ? "int32_t" : type(call.sort.columns)});
}

/// `const mshadow::LaunchSort<DType, IType> sort1{…};`, and its check.
std::string SortText(const PlanText &rule, const StageCall &call, const std::string &name) {
  const auto operand = [&rule](int tensor) {
    return "{\"" + OperandName(rule, tensor) + "\", &" + rule.param_name(tensor) + "}";
  };
  const int columns = call.sort.columns;
  const std::vector<std::string> fields = {
      columns == call.target ? "{}" : operand(call.target), columns < 0 ? "{}" : operand(columns),
      operand(call.left.tensor), call.sort.takes_all ? "true" : "false",
      call.sort.ascends ? "true" : "false"};
  const std::string head = "const mshadow::LaunchSort" + SortTypes(rule, call) + " " + name;
  return RenderList(head + "{", fields, "};", kLineWidth - 2) + "\n" +
         Guarded(rule, call, "mshadow::CheckSort(device, \"" + rule.rule() + "\", " + name + ");");
}

/// What is emitted of calls of one kind, but for products' run.
struct CallWords {
  const char *name;  ///< "scatter" of "scatter2"
  std::string (*text)(const PlanText &rule, const StageCall &call, const std::string &name);
  const char *run, *on_gpu;
  std::string (*types)(const PlanText &rule, const StageCall &call);
};
CallWords WordsOf(const StageCall &call) {
  switch (call.kind) {
    case Statement::kScatter:
      return {"scatter", ScatterText, "RunScatter", "AddRowsOnGpu", ScatterTypes};
    case Statement::kSort:
      return {"sort", SortText, "RunSort", "SortRowsOnGpu", SortTypes};
    default:
      return {"product", ProductText, "RunProduct", nullptr, nullptr};
  }
}

/// The name of a stage that is a call: "product2", "scatter2".
std::string CallName(const PlanText &rule, size_t stage) {
  return Numbered(rule, WordsOf(*rule.plan().stages[stage].call).name, stage);
}

/// The statement that runs a stage's call.
std::string RunCall(const PlanText &rule, const EmitOptions &options, size_t stage) {
  const StageCall &call = *rule.plan().stages[stage].call;
  const std::string name = CallName(rule, stage);
  if (call.kind == Statement::kProduct) {
    return Guarded(rule, call, "mshadow::RunProduct(device, " + name + ", stream);");
  }
  const CallWords words = WordsOf(call);
  const std::string on_gpu = std::string("MSHADOW_IN_CUDA(mshadow::detail::") + words.on_gpu +
                             words.types(rule, call) + ")";
  return Guarded(rule, call,
                 RenderList(std::string("mshadow::") + words.run + "(",
                            {"device", "\"" + rule.rule() + "\"", name, "stream",
                             options.cuda ? on_gpu : "nullptr"},
                            ");", kLineWidth - (call.condition < 0 ? 4 : 6)));
}

std::vector<int> OperandsOf(const StageCall &call) {
  std::vector<int> operands = call.targets();
  for (const int source : call.sources()) operands.push_back(source);
  return operands;
}

/// When a launch runs a call that uses a tensor.
Guard UseByCalls(const Plan &plan, int tensor) {
  Guard used;
  for (const PlanStage &stage : plan.stages) {
    if (!stage.call) continue;
    const std::vector<int> operands = OperandsOf(*stage.call);
    if (std::find(operands.begin(), operands.end(), tensor) == operands.end()) continue;
    const int condition = stage.call->condition;
    used = Or(used, condition < 0 ? Guard::Always() : Guard{{{{condition, false}}}});
  }
  return used;
}

/// The slices that calls use, and the calls.
std::string Calls(const PlanText &rule) {
  std::vector<std::string> lines;
  const std::vector<PlanStage> &stages = rule.plan().stages;
  std::set<int> made;
  for (const PlanStage &stage : stages) {
    if (!stage.call) continue;
    for (const int tensor : OperandsOf(*stage.call)) {
      const bool is_part = rule.plan().rule.params[tensor].is_part();
      if (!is_part || !made.insert(tensor).second) continue;
      lines.push_back(PartLine(rule, tensor, UseByCalls(rule.plan(), tensor)));
    }
  }
  for (size_t i = 0; i < stages.size(); ++i) {
    if (!stages[i].call) continue;
    const StageCall &call = *stages[i].call;
    lines.push_back(WordsOf(call).text(rule, call, CallName(rule, i)));
  }
  return Join(lines, "\n");
}

/// Whether the shape of a launch shows if a kernel has something to do.
bool AsksForShape(const Plan &kernel) { return !SkeletonOf(kernel).count.empty(); }

/// The Plan of each kernel, and the call that checks the arguments and makes it.
Values::List Kernels(const PlanText &rule, const SpecText &spec) {
  Values::List kernels;
  const std::vector<PlanStage> &stages = rule.plan().stages;
  for (size_t i = 0; i < stages.size(); ++i) {
    if (stages[i].call) continue;
    const PlanText &kernel = spec.KernelOf(stages[i]);
    const std::string plan = Numbered(rule, "plan", i);
    std::vector<std::string> args = {"device"};
    for (int param : TensorParams(kernel)) args.push_back(rule.param_name(param));
    if (kernel.has_scalars()) args.push_back(Numbered(rule, "s", i));
    args.push_back("&" + plan);
    const bool is_shared = kernel.plan().leaves || kernel.plan().takes_leaves;
    const bool has_shape = AsksForShape(kernel.plan()) && !is_shared;
    const std::string shape =
        has_shape ? "const mshadow::LaunchShape " + Numbered(rule, "shape", i) + " = " : "";
    kernels.push_back(Values()
                          .Set("plan", "alignas(64) " + kernel.PlanType() + " " + plan + ";")
                          .Set("prepare", RenderList(shape + "Plan" + kernel.rule() + "(", args,
                                                     ");", kLineWidth - 2)));
  }
  return kernels;
}

/// "// statement 1  out = dot(a, b)" for a call, "// statements 2, 3" for a kernel.
std::string Comment(const Stage &stage) {
  std::vector<std::string> numbers;
  std::string text;
  ForEachStatement(stage.body, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    numbers.push_back(std::to_string(statement.number));
    if (statement.is_call()) text = "  " + statement.text;
  });
  return WrapComment(EscapeComment((numbers.size() == 1 ? "statement " : "statements ") +
                                   Join(numbers, ", ") + text),
                     "// ", "//    ", kLineWidth - 4);
}

/// The test whether a kernel has something to do. If it has values of rows, columns or channels, it
/// has something to do even without elements.
std::string HasElements(const PlanText &rule, size_t stage) {
  const Plan &kernel = rule.plan().stages[stage].kernel[0];
  const std::string count = AsksForShape(kernel)
                                ? Numbered(rule, "shape", stage) + SkeletonOf(kernel).count
                                : Numbered(rule, "plan", stage) + SkeletonOf(kernel).plan_count;
  return count + " > 0";
}

/// "if (shape3.Size() > 0 && s3.layer) ": the condition under which a kernel runs.
std::string Condition(const PlanText &rule, const SpecText &spec, size_t stage) {
  const Plan &kernel = rule.plan().stages[stage].kernel[0];
  std::vector<std::string> conditions;
  if (!SkeletonOf(kernel).by_phase) conditions.push_back(HasElements(rule, stage));
  if (!kernel.runs.always()) {
    const std::string text = spec.KernelOf(rule.plan().stages[stage])
                                 .HostGuardText(kernel.runs, StageScalars(rule, stage));
    conditions.push_back(kernel.runs.terms.size() > 1 ? "(" + text + ")" : text);
  }
  return conditions.empty() ? "" : "if (" + Join(conditions, " && ") + ") ";
}

/// Whether a stage and the next one are kernels of which one may compute the leaves of the other.
bool MayShareLeaves(const PlanText &rule, size_t first) {
  const std::vector<PlanStage> &stages = rule.plan().stages;
  if (first + 1 >= stages.size()) return false;
  if (stages[first].call || stages[first + 1].call) return false;
  const auto &before = stages[first].kernel[0].leaves, &after = stages[first + 1].kernel[0].leaves;
  return (before && before->of_next) || (after && !after->of_next);
}

/// Of two such stages, the one that may compute the leaves.
size_t StageWithLeaves(const PlanText &rule, size_t first) {
  const auto &leaves = rule.plan().stages[first].kernel[0].leaves;
  return leaves && leaves->of_next ? first : first + 1;
}

/// The statements that run two such kernels.
std::string RunWithLeaves(const PlanText &rule, size_t first) {
  const std::string apart = Numbered(rule, "apart", first);
  const std::string head = "const bool " + apart + " = ";
  std::vector<std::string> tests;
  const size_t stage = StageWithLeaves(rule, first);
  for (const auto &[a, b] : rule.plan().stages[stage].kernel[0].leaves->apart) {
    tests.push_back("mshadow::AreApart(" + rule.param_name(a) + ", " + rule.param_name(b) + ")");
  }
  const std::string test = head + Join(tests, " &&\n" + std::string(head.size(), ' ')) + ";\n";
  return (tests.empty() ? "" : test) + RenderList("RunWithLeaves(",
                                                  {"device", "&" + Numbered(rule, "plan", first),
                                                   "&" + Numbered(rule, "plan", first + 1),
                                                   tests.empty() ? "true" : apart, "stream"},
                                                  ");", kLineWidth - 4);
}

/// The statement that runs a stage's kernel.
std::string RunKernel(const PlanText &rule, const SpecText &spec, const EmitOptions &options,
                      size_t stage) {
  const PlanText &kernel = spec.KernelOf(rule.plan().stages[stage]);
  const auto call = [&](int width) {
    return RunPlanCall(kernel, options, Numbered(rule, "plan", stage), "stream", width);
  };
  const std::string condition = Condition(rule, spec, stage);
  if (condition.empty()) return call(kLineWidth - 4);
  return condition + "{\n" + Indented(call(kLineWidth - 6)) + "\n}";
}

std::string Run(const PlanText &rule, const SpecText &spec, const EmitOptions &options) {
  std::vector<std::string> lines;
  const std::vector<PlanStage> &stages = rule.plan().stages;
  for (size_t i = 0; i < stages.size(); ++i) {
    lines.push_back(Comment(rule.plan().rule.stages[i]));
    if (stages[i].call) {
      lines.push_back(RunCall(rule, options, i));
    } else if (i > 0 && MayShareLeaves(rule, i - 1)) {
      lines.push_back(RunWithLeaves(rule, i - 1));
    } else if (!MayShareLeaves(rule, i)) {
      lines.push_back(RunKernel(rule, spec, options, i));
    }
  }
  return Join(lines, "\n");
}

/// The function that runs two such kernels.
std::string LeavesText(const PlanText &rule, const SpecText &spec, const EmitOptions &options,
                       size_t first) {
  const size_t with = StageWithLeaves(rule, first);
  const auto kernel = [&](size_t stage) -> const PlanText & {
    return spec.KernelOf(rule.plan().stages[stage]);
  };
  const PlanText &rows = kernel(with), &columns = kernel(with == first ? first + 1 : first);
  const auto plan = [&](size_t stage) {
    return kernel(stage).PlanType() + (stage == with ? " *rows" : " *columns");
  };
  std::vector<std::string> memory;
  for (size_t i = 0; i < rows.plan().reductions.size(); ++i) {
    const Reduction &reduction = rows.plan().reductions[i];
    if (!reduction.is_leaf()) continue;
    const std::string leaf = "rows->" + rows.reduction_name(static_cast<int>(i));
    memory.push_back(leaf + " = memory.Take<" + rows.TypeName(reduction.type) + ">(size);");
    memory.push_back("columns->kept." + columns.reduction_name(reduction.leaf_of) + " = " + leaf +
                     ";");
  }
  const auto run = [&](const PlanText &kernel, const char *plan) {
    return RunPlanCall(kernel, options, plan, "stream", kLineWidth - 4);
  };
  const std::string run_rows = run(rows, "*rows"), run_columns = run(columns, "*columns");
  const std::string rows_if = "if (rows->rows > 0) {\n" + Indented(run_rows) + "\n}";
  const std::string columns_if =
      "if (columns->columns.cols > 0) {\n" + Indented(run_columns) + "\n}";
  Values values;
  values.Set("rule", rule.rule())
      .Set("template", TemplateLine(Append({"typename xpu"}, rule.TypenameParams())))
      .Set("signature", RenderList("void RunWithLeaves(",
                                   {"xpu device", plan(first), plan(first + 1),
                                    "bool may_have_leaves", "void *stream"},
                                   ") {"))
      .Set("bytes", ElementBytes(rows))
      .Set("memory", Join(memory, "\n"))
      .Set("run_rows", run_rows)
      .Set("run_columns", run_columns)
      .Set("in_order", with == first ? rows_if + "\n" + columns_if : columns_if + "\n" + rows_if);
  return RenderTemplate("cpu/leaves.tmpl.gen.cc", values);
}

}  // namespace

std::string StageScalars(const PlanText &rule, size_t stage) { return Numbered(rule, "s", stage); }

std::string StagedText(const PlanText &rule, const SpecText &spec, const EmitOptions &options) {
  std::vector<std::string> scalars;
  if (rule.has_scalars()) scalars.push_back(PrepareCall(rule, "s"));
  const std::vector<PlanStage> &stages = rule.plan().stages;
  for (size_t i = 0; i < stages.size(); ++i) {
    if (stages[i].call) continue;
    const PlanText &kernel = spec.KernelOf(stages[i]);
    if (kernel.has_scalars()) scalars.push_back(PrepareCall(kernel, StageScalars(rule, i)));
  }
  std::vector<std::string> types = rule.TypenameParams();
  types.insert(types.begin(), "typename xpu");
  const bool has_memory = !Workspaces(rule).empty();
  Values values;
  values.Set("rule", rule.rule())
      .Set("run_template", TemplateLine(types))
      .Set("run_signature", RenderList("void Run" + rule.rule() + "(",
                                       {"xpu device", "const " + ArgsType(rule) + " &args"}, ") {"))
      .Set("opened", OpenArguments(rule, scalars))
      .Set("arguments", Arguments(rule))
      .Set("has_memory", has_memory)
      .Set("shapes", Shapes(rule))
      .Set("memory", has_memory ? Memory(rule) : "")
      .Set("has_calls", !Calls(rule).empty())
      .Set("calls", Calls(rule))
      .Set("kernels", Kernels(rule, spec))
      .Set("run", Run(rule, spec, options));
  std::string text;
  for (size_t i = 0; i < stages.size(); ++i) {
    if (MayShareLeaves(rule, i)) text += LeavesText(rule, spec, options, i);
  }
  return text + RenderTemplate("cpu/staged.tmpl.gen.cc", values);
}

}  // namespace mgen
