// SPDX-License-Identifier: Apache-2.0
// adamw.gen.cc: the checks of a launcher's tensors, and the Plan that it makes of them.
#include <algorithm>
#include <map>
#include <set>

#include "backends/common/view_text.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"
#include "ir/view_call.h"

namespace mgen {
namespace {

std::string AccessName(const Operand &operand) {
  if (operand.store.never()) return "kRead";
  return operand.load ? "kReadWrite" : "kWrite";
}

/// The lines, in an `if` unless all variants run them.
std::string WhereUsed(const PlanText &rule, const Guard &guard, const std::string &lines) {
  if (guard.always()) return lines;
  return "if (" + rule.HostGuardText(guard) + ") {\n" + Indented(lines) + "\n}";
}

/// ".OnlyIf(s.layer)" behind a check of what only some variants use.
std::string OnlyIf(const PlanText &rule, const Guard &used) {
  return used.always() ? "" : ".OnlyIf(" + rule.HostGuardText(used) + ")";
}

/// When a launch uses a slice, which may be several operands. If it is none of them, another kernel
/// uses it, and the launch only compares its memory.
Guard UseOfPart(const Plan &plan, int number) {
  Guard used;
  for (const Operand &operand : plan.operands) {
    if (operand.param == number) used = Or(used, operand.used);
  }
  for (const auto &others : {plan.Compared(), plan.Beside()}) {
    for (const auto &[tensor, when] : others) {
      if (tensor == number) used = Or(used, when);
    }
  }
  return used.never() ? Guard::Always() : used;
}

/// `const auto left = mshadow::PartOf<0>(…);`, or where only some variants use the slice
/// `const auto left = mshadow::OnlyIf(s.layer, [&] { return mshadow::PartOf<0>(…); });`
std::string Declared(const PlanText &rule, const std::string &name, const Guard &used,
                     const std::string &function, const std::vector<std::string> &args) {
  const std::string head = "const auto " + name + " = ";
  if (used.always()) return RenderList(head + function, args, ");", kLineWidth - 2);
  const std::string begin = head + "mshadow::OnlyIf(" + rule.HostGuardText(used) + ", [&] {";
  const std::string value = "return " + function + Join(args, ", ") + ");";
  const std::string line = begin + " " + value + " });";
  if (line.size() + 2 <= kLineWidth) return line;
  return begin + "\n" + Indented(RenderList("return " + function, args, ");", kLineWidth - 4)) +
         "\n});";
}

/// `const auto weight_rows = mshadow::RowsOf("Lazy", "weight", weight, "index", index);`
std::string RowsLine(const PlanText &rule, int number, const Guard &used) {
  const View &rows = *rule.plan().rule.params[number].view;
  const auto quoted = [&](int param) { return "\"" + rule.plan().rule.params[param].name + "\""; };
  const int matrix = rows.Sources().front(), indices = rows.Indices();
  return Declared(rule, rule.param_name(number), used, "mshadow::RowsOf(",
                  {"\"" + rule.plan().title() + "\"", quoted(matrix), rule.param_name(matrix),
                   quoted(indices), rule.param_name(indices)});
}

/// `const auto out_matrix = mshadow::ReshapedTo("Rule", "out", out, {out.rows(), out.cols()});`, or
/// `const auto out_diag = mshadow::DiagonalOf("Rule", "out", out);`
std::string ReshapedLine(const PlanText &rule, int number, const Guard &used) {
  const View &view = *rule.plan().rule.params[number].view;
  const int source = view.Sources().front();
  const std::string name = rule.param_name(source);
  const std::vector<std::string> args = {"\"" + rule.plan().title() + "\"",
                                         "\"" + rule.plan().rule.params[source].name + "\"", name};
  const auto declared = [&](const char *function, const std::vector<std::string> &all) {
    return Declared(rule, rule.param_name(number), used, function, all);
  };
  if (DiagonalIn(view)) return declared("mshadow::DiagonalOf(", args);
  const ViewCall call = *ParseViewCall(view);
  std::string shape = "{" + name + ".Size()}";
  if (call.name == ".FlatTo2D") shape = "{" + name + ".rows(), " + name + ".cols()}";
  if (call.name == "reshape" && call.args[1].operand >= 0) {
    shape = rule.param_name(view.operands[static_cast<size_t>(call.args[1].operand)].param);
  } else if (call.name == "reshape") {
    std::vector<std::string> extents;
    for (const ViewCall &extent : call.args[1].args) {
      const View::Operand &operand = view.operands[static_cast<size_t>(extent.operand)];
      extents.push_back(LaunchScalarText(rule, operand.value));
    }
    shape = "{" + Join(extents, ", ") + "}";
  }
  return declared("mshadow::ReshapedTo(", Append(args, {shape}));
}

}  // namespace

/// `const auto left = mshadow::PartOf<0>("Split", "in", in, 2, 0, s.half);`; in a rule for any rank
/// `const auto left = mshadow::LastPartOf("Split", "in", in, 0, s.half);`; for an inner dimension
/// `const auto left = mshadow::InnerPartOf<1>("Split", "in", in, 3, 0, s.half);`; of a slice
/// `const auto left = mshadow::PartOf<1>("Split", "in", mshadow::PartOf<0>(…), 2, 0, s.half);`; of
/// all elements `const auto sums_elements = sums.FlatTo1D();`
std::string PartLine(const PlanText &rule, int number, const Guard &used) {
  const Param &param = rule.plan().rule.params[number];
  const View &part = *param.view;
  const int source = part.Sources().front();
  std::string text = rule.param_name(source);
  if (part.names_rows) return RowsLine(rule, number, used);
  if (part.is_reshaped) return ReshapedLine(rule, number, used);
  if (part.is_flat) return "const auto " + rule.param_name(number) + " = " + text + ".FlatTo1D();";
  for (size_t i = 0; i < part.ranges.size(); ++i) {
    const int dim = part.ranges[i];
    const bool is_last = dim == Node::kLastDim;
    const std::string function =
        is_last ? "LastPartOf"
                : (param.IsInner(dim) ? "InnerPartOf<" : "PartOf<") + std::to_string(dim) + ">";
    std::vector<std::string> args = {"\"" + rule.plan().title() + "\"",
                                     "\"" + rule.plan().rule.params[source].name + "\"", text};
    if (!is_last) {
      const bool has_any = param.rank == Param::kRankParam;
      args.push_back(has_any ? rule.param_name(source) + ".dim" : std::to_string(param.rank));
    }
    for (const Expr &bound : {part.Begin(i), part.End(i)}) {
      args.push_back(LaunchScalarText(rule, bound));
    }
    text = "mshadow::" + function + "(" + Join(args, ", ") + ")";
    if (i + 1 < part.ranges.size()) continue;
    return Declared(rule, rule.param_name(number), used, "mshadow::" + function + "(", args);
  }
  return text;
}

std::string PartLines(const PlanText &rule) {
  std::vector<std::string> lines;
  std::vector<int> numbers;
  for (const Operand &operand : rule.plan().operands) numbers.push_back(operand.param);
  for (const auto &[tensor, used] : rule.plan().Beside()) numbers.push_back(tensor);
  for (const auto &[tensor, used] : rule.plan().Compared()) numbers.push_back(tensor);
  std::set<int> made;  // one slice may be several operands
  for (int number : numbers) {
    const Param &param = rule.plan().rule.params[number];
    if (!param.is_part() || !made.insert(number).second) continue;
    lines.push_back(PartLine(rule, number, UseOfPart(rule.plan(), number)));
  }
  return Join(lines, "\n");
}

namespace {

/// What messages call a parameter.
std::string TitleOf(const PlanText &rule, int number) {
  const Param &param = rule.plan().rule.params[number];
  if (param.is_part()) return ViewNameOfParam(rule, number);
  return param.title.empty() ? param.name : param.title;
}

/// The check of the extents of a tensor along these axes.
std::string ExtentsLine(const PlanText &rule, int tensor, Axes axes) {
  const std::string title = TitleOf(rule, tensor), name = rule.param_name(tensor);
  const std::string shape = name + ".shape", dim = name + ".dim";
  const auto line = [](const std::string &what, const std::string &first,
                       const std::string &count) {
    const std::vector<std::string> args = {"\"" + what + "\"", first, count};
    return Indented(RenderList(".View(", args, ")", kLineWidth - 6), 4);
  };
  if (axes.is_every()) return line(title, shape, dim);
  if (axes.is_rows()) return line("rows of " + title, shape, dim + " - 1");
  if (axes == Axes::Without(0))
    return line("the extents of " + title + " but the first", shape + " + 1", dim + " - 1");
  const int rank = rule.plan().rule.params[tensor].rank;
  const bool is_last = axes == Axes::Last(), is_any = rank == Param::kRankParam;
  if (is_last && is_any) return line("last extent of " + title, shape + " + " + dim + " - 1", "1");
  const std::string number = is_last ? std::to_string(rank - 1) : axes.text();
  const std::string first = number == "0" ? shape : shape + " + " + number;
  return line("extent " + number + " of " + title, first, "1");
}

}  // namespace

std::string ShapeChecks(const PlanText &rule) {
  std::vector<std::string> checks;
  for (const SameShape &same : rule.plan().same_shapes) {
    std::vector<std::string> lines = {"mshadow::LaunchCheck(\"" + rule.plan().title() +
                                      "\", device)"};
    for (const int tensor : same.tensors) lines.push_back(ExtentsLine(rule, tensor, same.axes));
    lines.push_back("    .Run();");
    checks.push_back(WhereUsed(rule, same.used, Join(lines, "\n")));
  }
  return Join(checks, "\n");
}

namespace {

/// The operands that are arguments or slices, in the order in which the check numbers them.
std::vector<int> CheckedOperands(const Plan &plan) {
  std::vector<int> checked;
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const int operand = static_cast<int>(i);
    if (!plan.operands[i].is_temporary && !plan.ViewOf(operand)) checked.push_back(operand);
  }
  return checked;
}

}  // namespace

namespace {

std::string ArgumentLine(const PlanText &rule, const std::string &name, int param,
                         const std::string &access, Axes axes, const Guard &used) {
  std::vector<std::string> args = {"\"" + name + "\"", rule.param_name(param),
                                   "mshadow::Access::" + access};
  if (!axes.is_every()) {
    args.push_back("mshadow::OperandMap::k" + CamelCase(std::string(IrName(axes))));
  }
  return RenderList("check.Argument(", args, ")" + OnlyIf(rule, used) + ";", kLineWidth - 2);
}

/// The check of an argument whose elements are not used.
std::string FittingLine(const PlanText &rule, const Fitting &fits) {
  const Node &e = *fits.tensor;
  const std::string name = TitleOf(rule, e.index);
  if (e.op == Op::kRead) return ArgumentLine(rule, name, e.index, "kRead", e.axes, fits.used);
  const std::string tensor = rule.param_name(e.index);
  std::vector<std::string> args = {"\"" + name + "\"", tensor + ".shape", tensor + ".dim"};
  if (e.dim != -1) args.push_back("mshadow::OperandMap::kShapeOfRest");
  return RenderList("check.View(", args, ")" + OnlyIf(rule, fits.used) + ";", kLineWidth - 2);
}

/// The check of a tensor of any shape.
std::string SourceLine(const PlanText &rule, const std::string &title, int tensor,
                       const Guard &used) {
  return RenderList("check.Source(", {"\"" + title + "\"", rule.param_name(tensor)},
                    ")" + OnlyIf(rule, used) + ";", kLineWidth - 2);
}

/// The vectors that name rows of matrices, each once, in their order.
std::vector<int> IndicesOf(const Plan &plan) {
  std::vector<int> all;
  for (const int rows : plan.NamedRows()) {
    const int indices = plan.rule.params[rows].Indices();
    if (std::find(all.begin(), all.end(), indices) == all.end()) all.push_back(indices);
  }
  return all;
}

/// Those of them that a launch does not check for another reason.
std::vector<int> OnlyIndices(const Plan &plan) {
  std::vector<int> only;
  const std::vector<std::pair<int, Guard>> beside = plan.Beside();
  for (const int indices : IndicesOf(plan)) {
    const bool is_operand = std::any_of(plan.operands.begin(), plan.operands.end(),
                                        [&](const Operand &o) { return o.param == indices; });
    const bool fits = std::any_of(plan.fitting.begin(), plan.fitting.end(),
                                  [&](const Fitting &f) { return f.tensor->index == indices; });
    const bool is_beside = std::any_of(beside.begin(), beside.end(),
                                       [&](const auto &other) { return other.first == indices; });
    if (!is_operand && !fits && !is_beside) only.push_back(indices);
  }
  return only;
}

/// The dimension that tensors which must only fit have alone, or that they alone lack; -1: none.
struct AxesOfFitting {
  int only = -1, without = -1;
};
AxesOfFitting AxesOf(const std::vector<Fitting> &fitting) {
  AxesOfFitting axes;
  for (const Fitting &fits : fitting) {
    axes.only = std::max(axes.only, fits.tensor->axes.only());
    axes.without = std::max(axes.without, fits.tensor->axes.without());
  }
  return axes;
}

}  // namespace

std::string Checks(const PlanText &rule) {
  const Plan &plan = rule.plan();
  std::vector<std::string> lines;
  const AxesOfFitting fitting = AxesOf(plan.fitting);
  if (plan.kept.only() >= 0) {
    lines.push_back("check.KeepChannels(" + std::to_string(plan.kept.only()) + ");");
  } else if (fitting.only >= 0) {
    lines.push_back("check.NameChannels(" + std::to_string(fitting.only) + ");");
  }
  const int reduced = std::max(plan.kept.without(), fitting.without);
  if (reduced >= 0) lines.push_back("check.KeepAxis(" + std::to_string(reduced) + ");");
  if (plan.kept == Axes::Last()) {
    lines.push_back("check.KeepColumns();");
  } else if (!plan.may_collapse()) {
    lines.push_back("check.KeepRows();");
  } else if (!plan.may_collapse_on_gpu()) {
    lines.push_back("check.KeepRowsOnGpu(device);");
  }
  if (plan.kept.is_none()) lines.push_back("check.KeepEmpty();");
  std::vector<int> numbered;  // the parameters, in the order in which the check numbers them
  for (int i : CheckedOperands(plan)) {
    const Operand &operand = plan.operands[i];
    const std::string name = plan.PartOf(i) ? ViewName(rule, i) : TitleOf(rule, operand.param);
    lines.push_back(
        ArgumentLine(rule, name, operand.param, AccessName(operand), operand.axes, operand.used));
    numbered.push_back(operand.axes.is_every() ? operand.param : -1);
  }
  for (const Fitting &fits : plan.fitting) {
    lines.push_back(FittingLine(rule, fits));
    const bool is_element = fits.tensor->op == Op::kRead && fits.tensor->axes.is_every();
    numbered.push_back(is_element ? fits.tensor->index : -1);
  }
  const auto number_of = [&numbered](int param) {
    const auto place = std::find(numbered.begin(), numbered.end(), param);
    return place == numbered.end() ? -1 : static_cast<int>(place - numbered.begin());
  };
  std::set<std::pair<int, int>> seen;
  for (const AliasRule &alias : plan.aliases) {
    const int written = number_of(alias.written), other = number_of(alias.other);
    if (!alias.same_allowed || written < 0 || other < 0) continue;
    const auto [first, second] = std::minmax(written, other);
    if (!seen.insert({first, second}).second) continue;
    lines.push_back("check.MaySame(" + std::to_string(first) + ", " + std::to_string(second) +
                    ");  // " + plan.rule.params[numbered[first]].name + ", " +
                    plan.rule.params[numbered[second]].name);
  }
  for (const auto &[tensor, used] : plan.Beside()) {
    lines.push_back(SourceLine(rule, TitleOf(rule, tensor), tensor, used));
  }
  for (const int indices : OnlyIndices(plan)) {
    Guard used;
    for (const int rows : plan.NamedRows()) {
      if (plan.rule.params[rows].Indices() == indices) used = Or(used, UseOfPart(plan, rows));
    }
    lines.push_back(SourceLine(rule, plan.rule.params[indices].name, indices, used));
  }
  return Join(lines, "\n");
}

std::string RunCall(const PlanText &rule) {
  const Plan &plan = rule.plan();
  const std::vector<int> checked = CheckedOperands(plan);
  const auto is_uneven = [&plan](int param) { return !plan.rule.params[param].has_even_rows(); };
  const bool has_parts = std::any_of(checked.begin(), checked.end(),
                                     [&](int i) { return is_uneven(plan.operands[i].param); }) ||
                         std::any_of(plan.fitting.begin(), plan.fitting.end(),
                                     [&](const Fitting &f) { return is_uneven(f.tensor->index); });
  const bool has_shapes = std::any_of(plan.fitting.begin(), plan.fitting.end(),
                                      [](const Fitting &f) { return f.tensor->op == Op::kDim; });
  if (plan.uses_views || has_parts || has_shapes || !plan.Beside().empty()) return "check.Run()";
  return "check.Run<" + std::to_string(checked.size() + plan.fitting.size()) + ">(device)";
}

std::string ViewChecks(const PlanText &rule) {
  std::vector<std::string> lines;
  std::vector<int> sources;
  std::map<int, Guard> uses;  // of the sources
  for (int i : ViewsOf(rule)) {
    const Operand &view = rule.plan().operands[i];
    if (!view.load) continue;  // only its shape matters
    for (int source : rule.plan().ViewOf(i)->Sources()) {
      const auto [known, is_new] = uses.emplace(source, view.used);
      if (is_new) sources.push_back(source);
      known->second = Or(known->second, view.used);
    }
  }
  for (const int source : sources) {
    lines.push_back(
        SourceLine(rule, rule.plan().rule.params[source].name, source, uses.at(source)));
  }
  for (int i : ViewsOf(rule)) {
    lines.push_back(WhereUsed(rule, rule.plan().operands[i].used, ViewCheck(rule, i)));
  }
  return Join(lines, "\n");
}

std::string RowChecks(const PlanText &rule) {
  const Plan &plan = rule.plan();
  std::vector<std::string> lines;
  for (const int indices : IndicesOf(plan)) {
    const std::vector<std::string> args = {"device", "\"" + plan.title() + "\"",
                                           "\"" + plan.rule.params[indices].name + "\"",
                                           rule.param_name(indices)};
    for (const int rows : plan.NamedRows()) {
      if (plan.rule.params[rows].Indices() != indices) continue;
      const std::string line = RenderList("mshadow::CheckRows(",
                                          Append(args, {rule.param_name(rows) + ".rows_of_matrix"}),
                                          ");", kLineWidth - 4);
      lines.push_back(WhereUsed(rule, UseOfPart(plan, rows), line));
    }
    Guard writes;
    for (const Operand &operand : plan.operands) {
      if (plan.rule.params[operand.param].Indices() == indices) writes = Or(writes, operand.store);
    }
    if (writes.never()) continue;
    lines.push_back(WhereUsed(
        rule, writes, RenderList("mshadow::CheckEachRowOnce(", args, ");", kLineWidth - 4)));
  }
  return Join(lines, "\n");
}

std::string ColumnChecks(const PlanText &rule) {
  std::vector<std::string> lines;
  for (const Count &count : rule.plan().counts) {
    const std::string call =
        RenderList("mshadow::CheckCountable<" + rule.TypeName(count.type) + ">(",
                   {"\"" + rule.plan().title() + "\"", "\"" + count.name + "\"",
                    SkeletonOf(rule.plan()).reduced},
                   ");", kLineWidth - 4);
    lines.push_back(WhereUsed(rule, count.used, call));
  }
  for (const Operand &gather : rule.plan().operands) {
    if (!gather.axes.is_picked()) continue;
    const std::string name = rule.plan().rule.params[gather.by].name;
    const std::string call =
        RenderList("mshadow::CheckColumns(",
                   {"device", "\"" + rule.plan().title() + "\"", "\"" + name + "\"",
                    rule.param_name(gather.by), "shape.cols"},
                   ");", kLineWidth - 4);
    const std::string line = WhereUsed(rule, gather.used, call);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
  return Join(lines, "\n");
}

namespace {

/// Whether a launch may make one row of several rows of memory: it does so for slices of inner
/// dimensions.
bool MayJoinRows(const Plan &plan) {
  return SkeletonOf(plan).shape.empty() &&
         std::any_of(plan.operands.begin(), plan.operands.end(), [&plan](const Operand &operand) {
           return plan.rule.params[operand.param].is_inner_part();
         });
}

/// The number of elements from one row of an operand to the next.
std::string Stride(const PlanText &rule, const Operand &operand) {
  const std::string stride = rule.param_name(operand.param) + ".stride";
  const std::string &by = SkeletonOf(rule.plan()).row_stride;
  if (!operand.axes.is_every()) {
    return operand.axes == Axes::Last() || operand.axes.is_none() ? "0" : "1";
  }
  if (MayJoinRows(rule.plan())) return stride + " * shape.run";
  return by.empty() ? stride : "shape.RowStride(" + stride + ", " + by + ")";
}

/// `plan.streams = mshadow::Streams(…) && mshadow::FillsMostLines(…) && out.dptr != in.dptr;`. An
/// operand that is also read is in the cache already, and may stay there. A kernel over columns
/// uses another test than FillsMostLines, since the rows of its blocks are short.
std::string StreamsField(const PlanText &rule) {
  const Plan &plan = rule.plan();
  const Operand &streamed = plan.operands[plan.schedule.non_temporal];
  const std::string view = "plan." + rule.operand_name(plan.schedule.non_temporal);
  const std::string &rows = SkeletonOf(plan).fills;
  std::vector<std::string> tests = {
      "mshadow::Streams(shape.Size() * " + ElementBytes(rule) + ")",
      "mshadow::" + rows + "(" + view + ", " + rule.ColumnsField() + ")"};
  for (const AliasRule &alias : plan.aliases) {
    const bool is_written = alias.written == streamed.param;
    if (!alias.same_allowed || (!is_written && alias.other != streamed.param)) continue;
    const int other = is_written ? alias.other : alias.written;
    if (plan.FindOperand(other) < 0) continue;
    const std::string test =
        rule.param_name(streamed.param) + ".dptr != " + rule.param_name(other) + ".dptr";
    if (std::find(tests.begin(), tests.end(), test) == tests.end()) tests.push_back(test);
  }
  std::string text = "plan.streams = " + tests[0];
  for (size_t i = 1; i < tests.size(); ++i) text += " && " + tests[i];
  if (text.size() + 3 <= kLineWidth) return text + ";";
  return "plan.streams = " + Join(tests, " &&\n               ") + ";";
}

/// The call that joins rows: "mshadow::JoinRows(&plan, &plan.in_transpose, &plan.out);".
std::string JoinRows(const PlanText &rule) {
  std::vector<std::string> views, tensors;
  for (int i : rule.Tensors()) {
    if (!rule.plan().operands[i].axes.is_every()) continue;
    (rule.plan().ViewOf(i) ? views : tensors).push_back("&plan." + rule.operand_name(i));
  }
  return RenderList("mshadow::JoinRows(", Append({"&plan"}, Append(views, tensors)), ");",
                    kLineWidth - 2);
}

}  // namespace

std::string PlanFields(const PlanText &rule) {
  std::vector<std::string> lines;
  const std::string &shape = SkeletonOf(rule.plan()).shape_fields;
  if (!shape.empty()) lines.push_back(shape);
  for (int i : rule.Tensors()) {
    const Operand &operand = rule.plan().operands[i];
    if (rule.plan().ViewOf(i)) {
      lines.push_back(WhereUsed(rule, operand.used, ViewSet(rule, i)));
      continue;
    }
    const std::string tensor = rule.param_name(operand.param);
    std::vector<std::string> fields = {tensor + ".dptr"};
    const Param &param = rule.plan().rule.params[operand.param];
    if (param.Indices() >= 0) {
      fields = Append(fields, {tensor + ".stride", tensor + ".rows_of_matrix",
                               rule.param_name(param.Indices()) + ".dptr"});
    } else if (param.is_inner_part()) {
      for (const char *field : {".stride", ".inner / shape.run", ".pitch"}) {
        fields.push_back(tensor + field);
      }
    } else {
      fields.push_back(Stride(rule, operand));
    }
    lines.push_back(
        RenderList("plan." + rule.operand_name(i) + " = {", fields, "};", kLineWidth - 2));
  }
  if (rule.has_scalars()) lines.push_back("plan.scalars = s;");
  const std::string &parts = SkeletonOf(rule.plan()).set_parts;
  if (!parts.empty()) lines.push_back(parts);
  if (shape.empty()) {
    lines.push_back("plan.rows = shape.rows;");
    lines.push_back("plan.cols = shape.cols;");
  }
  if (rule.plan().schedule.joins_rows) lines.push_back(JoinRows(rule));
  if (rule.plan().schedule.non_temporal >= 0) lines.push_back(StreamsField(rule));
  return Join(lines, "\n");
}

}  // namespace mgen
