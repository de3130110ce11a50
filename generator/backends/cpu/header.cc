// SPDX-License-Identifier: Apache-2.0
// adamw.gen.h, adamw.map.inc and the umbrella header.
#include <algorithm>

#include "backends/backends.h"
#include "backends/common/banner.h"
#include "backends/common/call_text.h"
#include "backends/common/entry_text.h"
#include "backends/common/view_text.h"
#include "backends/cpu/pieces.h"
#include "emit/comment.h"
#include "emit/literal.h"
#include "emit/names.h"
#include "emit/shared_parts.h"
#include "emit/template.h"

namespace mgen {
namespace {

/// "float, half_t and bf16_t": the types in the message of the static_assert.
std::string ShortNames(const PlanText &rule) {
  std::vector<std::string> names;
  for (const auto &instance : rule.plan().rule.instances) {
    const std::string name = ShortName(instance, ", ");
    names.push_back(instance.size() == 1 ? name : "<" + name + ">");
  }
  return JoinAnd(names);
}

}  // namespace

std::string InstancesAssertion(const PlanText &rule, const std::string &spec) {
  if (rule.type_params().empty()) return "";
  const std::string has =
      RenderList("static_assert(mshadow::HasInstance<",
                 Append({rule.rule() + "Rule"}, rule.type_params()), ">(),", kLineWidth - 2);
  const std::string message = rule.rule() + " is generated for " + ShortNames(rule) + ";";
  return has + "\n              \"" + message + " \"\n              \"name other types in " +
         (rule.plan().rule.is_expression ? "MSHADOW_INSTANTIATE_EXPRESSION"
                                         : "MSHADOW_INSTANTIATE") +
         " of " + spec + "\");";
}

namespace {

std::string Default(const PlanText &rule, const Param &param) {
  if (param.is_tensor || !param.value) return "";
  const LiteralValue value = std::visit([](auto v) { return LiteralValue(v); }, *param.value);
  return " = " + LiteralText(value, param.type, rule.TypeName(param.type));
}

}  // namespace

std::string ScalarParam(const PlanText &rule, size_t i) {
  const Param &param = rule.plan().rule.params[i];
  std::string type = rule.TypeName(CallerType(param));
  if (param.is_const || param.passing == Param::kByConstRef) type = "const " + type;
  return type + (param.passing == Param::kByValue ? " " : " &") + rule.param_name(i) +
         Default(rule, param);
}

std::string LauncherSignature(const PlanText &rule) {
  std::vector<std::string> params;
  const std::vector<Param> signature = rule.plan().rule.signature();
  for (size_t i = 0; i < signature.size(); ++i) {
    const Param &param = signature[i];
    if (!param.is_tensor) {
      params.push_back(ScalarParam(rule, i));
      continue;
    }
    const std::string dim =
        param.rank == Param::kRankParam ? rule.rank() : std::to_string(param.rank);
    std::string type =
        "mshadow::Tensor<" + rule.device() + ", " + dim + ", " + rule.TypeName(param.type) + ">";
    if (param.is_const || param.passing == Param::kByConstRef) type = "const " + type;
    params.push_back(type + (param.passing == Param::kByValue ? " " : " &") + rule.param_name(i));
  }
  return RenderList("inline void " + rule.cpp_name() + "(", params, ") {");
}

namespace {

/// " = AType" for a type parameter that equals AType in every instance and is the type of no
/// parameter: then a call cannot deduce it. "" for others.
std::string EqualTypeParam(const PlanText &rule, int type) {
  const Rule &r = rule.plan().rule;
  const auto has_it = [&](const Param &param) { return param.type.param == type; };
  const std::vector<Param> signature = r.signature();
  if (std::any_of(signature.begin(), signature.end(), has_it)) return "";
  for (int first = 0; first < type; ++first) {
    const bool is_same =
        std::all_of(r.instances.begin(), r.instances.end(),
                    [&](const auto &instance) { return instance[first] == instance[type]; });
    if (is_same) return " = " + rule.type_params()[first];
  }
  return "";
}

}  // namespace

std::string LauncherTemplate(const PlanText &rule) {
  std::vector<std::string> params;
  int types = 0;
  for (const TemplateParam &t : rule.plan().rule.template_params) {
    if (t.kind == TemplateParam::kElementType) {
      params.push_back("typename " + rule.type_params()[types] + EqualTypeParam(rule, types));
      ++types;
    } else {
      params.push_back(t.kind == TemplateParam::kDevice ? "typename " + rule.device()
                                                        : "int " + rule.rank());
    }
  }
  return TemplateLine(params);
}

namespace {

std::string LaunchCall(const PlanText &rule) {
  std::vector<std::string> args;
  const std::vector<Param> signature = rule.plan().rule.signature();
  for (size_t i = 0; i < signature.size(); ++i) {
    const std::string &name = rule.param_name(i);
    args.push_back(signature[i].is_tensor ? "mshadow::Arg(" + name + ")" : name);
  }
  const std::string head =
      "Launch" + rule.rule() + "(" + rule.device() + "(), " + ArgsType(rule) + "{";
  return RenderList(head, args, "});", kLineWidth - 2);
}

/// The members of AdamWArgs.
std::string ArgsFields(const PlanText &rule) {
  std::vector<std::string> fields;
  const std::vector<Param> signature = rule.plan().rule.signature();
  for (size_t i = 0; i < signature.size(); ++i) {
    const std::string type = rule.TypeName(CallerType(signature[i]));
    fields.push_back((signature[i].is_tensor ? "mshadow::TensorArg<" + type + ">" : type) + " " +
                     rule.param_name(i) + ";");
  }
  return Join(fields, "\n");
}

/// "// formula"; "" if the formula is only the name, or is easier to read where it is computed.
std::string FormulaComment(const PlanText &rule, const std::string &name, const Expr &value) {
  if (IsLong(value)) return "";
  const std::string formula = RenderExpr("", value, "", rule.PeopleStyle(), 10 * kLineWidth);
  const bool is_one_line = formula.find('\n') == std::string::npos;
  return formula != name && is_one_line ? "// " + formula : "";
}

}  // namespace

std::string ScalarsText(const PlanText &rule) {
  const Plan &plan = rule.plan();
  std::vector<std::string> lines, comments;
  const auto add = [&](const std::string &type, const std::string &name, const Expr &value) {
    lines.push_back(type + " " + name + ";");
    comments.push_back(FormulaComment(rule, name, value));
  };
  for (size_t i = 0; i < plan.scalars.size(); ++i) {
    add(rule.TypeName(plan.scalars[i].type), rule.scalar_name(i), plan.scalars[i].value);
  }
  for (size_t i = 0; i < plan.conditions.size(); ++i) {
    add("bool", rule.condition_member(i), plan.conditions[i].value);
    const std::string what = plan.is_staged() ? "whether a product runs" : "chooses the loop";
    comments.back() += (comments.back().empty() ? "// " : "; ") + what;
  }
  Values values;
  values.Set("rule", rule.rule())
      .Set("is_stage", plan.is_stage())
      .Set("whole", !plan.is_stage())
      .Set("title", plan.title())
      .Set("has_scalars", rule.has_scalars())
      .Set("template", rule.scalars_depend_on_types() ? TemplateLine(rule.TypenameParams()) : "")
      .Set("fields", AlignComments(lines, comments, kLineWidth - 2));
  return RenderTemplate("common/scalars.tmpl.gen.h", values);
}

std::string ArgsType(const PlanText &rule, const PlanText::Instance &instance) {
  std::vector<std::string> types;
  for (const ScalarKind kind : instance) types.emplace_back(CppName(kind));
  return rule.rule() + "Args" + (types.empty() ? "" : TemplateArgs(types));
}

std::string ArgsType(const PlanText &rule) {
  const std::vector<std::string> &types = rule.type_params();
  return rule.rule() + "Args" + (types.empty() ? "" : TemplateArgs(types));
}

std::string LaunchTemplate(const PlanText &rule) {
  return TemplateLine(Append({"typename xpu"}, rule.TypenameParams()));
}

std::string LaunchSignature(const PlanText &rule) {
  return RenderList("void Launch" + rule.rule() + "(",
                    {"xpu device", "const " + ArgsType(rule) + " &args"}, ")", kLineWidth - 2);
}

std::string LauncherText(const PlanText &rule, const SpecText &spec) {
  Values values;
  values.Set("stem", spec.stem)
      .Set("rule", rule.rule())
      .Set("args_template", rule.type_params().empty() ? "" : TemplateLine(rule.TypenameParams()))
      .Set("fields", ArgsFields(rule))
      .Set("launch_template", LaunchTemplate(rule))
      .Set("declaration", LaunchSignature(rule) + ";")
      .Set("doc", DocComment(RuleDoc(rule.plan().rule)))
      .Set("template", LauncherTemplate(rule))
      .Set("signature", LauncherSignature(rule))
      .Set("assertion", InstancesAssertion(rule, spec.path))
      .Set("call", LaunchCall(rule));
  return RenderTemplate("common/launcher.tmpl.gen.h", values);
}

namespace {

/// The body of a Plan's Map: one element in the scalar region, by the variant that the conditions
/// choose.
std::string MapBody(const PlanText &rule, const SpecText &spec) {
  const Plan &plan = rule.plan();
  const BodyCall call = {spec.ScalarRegion() + "::", rule.condition_params(), "*this",
                         "mshadow::packet::scalar::OneElement(row, column)",
                         plan.conditions.empty() ? 4 : 10};
  if (plan.conditions.empty()) return BodyCallText(rule, call);
  std::vector<std::string> lambda, flags;
  for (size_t i = 0; i < plan.conditions.size(); ++i) {
    lambda.push_back("auto " + rule.condition_param(i));
    flags.push_back("scalars." + rule.condition_member(i));
  }
  return "Choose(\n    [&](" + Join(lambda, ", ") + ") {\n" +
         Indented(BodyCallText(rule, call), 6) + "\n    },\n    " + Join(flags, ", ") + ");";
}

/// The partial sums and the values that one phase leaves for later ones. If the phases are in one
/// function, their addresses.
std::string KeptFields(const PlanText &rule) {
  const Plan &plan = rule.plan();
  const bool are_apart = !SkeletonOf(plan).by_phase;
  std::vector<std::string> fields;
  for (size_t i = 0; i < plan.reductions.size(); ++i) {
    const std::string type = rule.TypeName(plan.reductions[i].type);
    fields.push_back((are_apart ? type + " *" : "PartsOf<" + type + "> ") + rule.reduction_name(i) +
                     ";");
  }
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    if (!plan.operands[i].is_temporary || !plan.IsKept(i)) continue;
    fields.push_back(rule.TypeName(plan.operands[i].type) + (are_apart ? " *" : " ") +
                     rule.operand_name(i) + ";");
  }
  return Join(fields, "\n");
}

/// The comment on an operand that does not have an element for each element of the rule.
std::string OperandComment(Axes axes) {
  return axes == Axes::Last()  ? "// one value per column, for all rows"
         : axes.is_rows()      ? "// one value per row"
         : axes.is_none()      ? "// one value"
         : axes.only() >= 0    ? "// one value per channel"
         : axes.without() >= 0 ? "// one value for each index of the other dimensions"
                               : "";
}

/// Adds the member that says whether loops use non-temporal stores.
void AddStreams(const PlanText &rule, std::vector<std::string> *members,
                std::vector<std::string> *comments) {
  const int streamed = rule.plan().schedule.non_temporal;
  if (streamed < 0) return;
  members->push_back("bool streams = false;");
  comments->push_back("// " + rule.operand_name(streamed) + " gets non-temporal stores on a CPU");
}

/// Adds the addresses of the leaves of another kernel's reductions.
void AddLeaves(const PlanText &rule, std::vector<std::string> *members,
               std::vector<std::string> *comments) {
  const Plan &plan = rule.plan();
  if (!plan.leaves) return;
  for (size_t i = 0; i < plan.reductions.size(); ++i) {
    const Reduction &reduction = plan.reductions[i];
    if (!reduction.is_leaf()) continue;
    members->push_back(rule.TypeName(reduction.type) + " *" +
                       rule.reduction_name(static_cast<int>(i)) + " = nullptr;");
    comments->push_back("// a row for each kColumnLeaf rows");
  }
  members->push_back("bool has_leaves = false;");
  comments->push_back("// whether this launch computes those rows");
}

/// Adds the chunks, and the members that launches of single phases need.
void AddKept(const Plan &plan, std::vector<std::string> *members,
             std::vector<std::string> *comments) {
  const Skeleton &skeleton = SkeletonOf(plan);
  if (!skeleton.shows_loops) return;
  const bool keeps = plan.schedule.has_chunks();
  const auto add = [&](const char *member, const std::string &comment) {
    members->emplace_back(member);
    comments->push_back(comment);
  };
  if (keeps) add(skeleton.by_phase ? "Kept *kept;" : "Kept kept;", skeleton.kept_comment);
  add(plan.takes_leaves ? "Parts parts = {};" : "Parts parts;", skeleton.parts_comment);
  if (keeps && !skeleton.by_phase) add("PhaseLaunch launch;", skeleton.kept_comment);
}

/// The comment on the member `rows` of a Plan.
std::string RowsComment(const Plan &plan) {
  if (!plan.may_collapse()) return "";
  if (!plan.may_collapse_on_gpu()) return "// 1 on a CPU if all tensors are contiguous";
  return "// 1 if all operands are contiguous";
}

/// How a Plan holds a tensor: "PlanView<const float>".
std::string OperandView(const PlanText &rule, int tensor, const std::string &type) {
  const std::vector<Param> &params = rule.plan().rule.params;
  const int indices = params[tensor].Indices();
  if (indices >= 0) return "PlanRows<" + type + ", " + rule.TypeName(params[indices].type) + ">";
  return (params[tensor].is_inner_part() ? "PlanRuns<" : "PlanView<") + type + ">";
}

}  // namespace

std::string PlanClassText(const PlanText &rule, const SpecText &spec) {
  const Plan &plan = rule.plan();
  std::vector<std::string> members, comments;
  for (int i : rule.Tensors()) {
    const Operand &operand = plan.operands[i];
    const std::string access = rule.IsWritten(i) ? "" : "const ";
    if (IsOnlyChecked(rule, i)) continue;
    if (plan.ViewOf(i)) {
      members.push_back(ViewType(rule, i) + " " + rule.operand_name(i) + ";");
      comments.push_back("");
      continue;
    }
    const std::string type = access + rule.TypeName(operand.type);
    members.push_back(OperandView(rule, operand.param, type) + " " + rule.operand_name(i) + ";");
    comments.push_back(OperandComment(operand.axes));
  }
  if (rule.has_scalars()) {
    const bool generic = rule.scalars_depend_on_types();
    members.push_back(rule.Global(rule.rule() + "Scalars") +
                      (generic ? TemplateArgs(rule.type_params()) : "") + " scalars;");
    comments.push_back("");
  }
  AddKept(plan, &members, &comments);
  const Skeleton &skeleton = SkeletonOf(plan);
  if (!skeleton.shape.empty()) {
    members.push_back(skeleton.shape_type + " " + skeleton.shape + ";");
    const bool holds = !skeleton.comment_holds_where_rows_collapse || plan.may_collapse();
    comments.push_back(holds ? skeleton.shape_comment : "");
    if (!skeleton.kept_channels.empty()) {
      members.push_back("index_t kept;");
      comments.push_back(skeleton.kept_channels);
    }
  } else {
    members.push_back("index_t rows;");
    comments.push_back(RowsComment(plan));
    members.push_back("index_t cols;");
    comments.push_back("");
  }
  AddStreams(rule, &members, &comments);
  AddLeaves(rule, &members, &comments);
  Values values;
  values.Set("rule", rule.rule())
      .Set("typenames", Join(rule.TypenameParams(), ", "))
      .Set("rule_type", rule.Global(rule.rule() + "Rule"))
      .Set("types", rule.PlanTypes())
      .Set("has_kept", plan.schedule.has_chunks())
      .Set("what_kept", skeleton.by_phase ? "partial sums of reductions, and single values"
                                          : "a row of partial sums for each chunk, and values")
      .Set("kept", plan.schedule.has_chunks() ? KeptFields(rule) : "")
      .Set("members", AlignComments(members, comments, kLineWidth - 2))
      .Set("is_expression", plan.rule.is_expression)
      .Set("expression", plan.rule.is_expression ? ExpressionMembersText(rule, spec) : "")
      .Set("has_map", plan.kept.is_every())
      .Set("map", plan.kept.is_every() ? MapBody(rule, spec) : "");
  return RenderTemplate("common/plan.tmpl.gen.h", values);
}

namespace {

/// With --namespace, the unfused rules also get names in the namespaces around the spec's own.
std::string UnfusedNames(const SpecText &spec, const EmitOptions &options) {
  if (options.wrap.empty()) return "";
  NamespacedText text;
  for (const PlanText &rule : spec.rules) {
    const std::string own = Qualified(rule.plan().rule.namespaces);
    text.Add(rule.spec_path(),
             "using ::" + (own.empty() ? "" : own + "::") + rule.cpp_name() + ";");
  }
  return text.Finish();
}

/// The user's headers with the functions and types that views name.
std::string ViewHeaders(const SpecText &spec) {
  std::vector<std::string> lines;
  for (const PlanText &rule : spec.rules) {
    for (const Param &param : rule.plan().rule.params) {
      if (!param.view) continue;
      for (const std::string &header : param.view->headers) {
        const std::string line = "#include \"" + CheckPath(header) + "\"";
        if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
      }
    }
  }
  return Join(lines, "\n");
}

/// The tags and the Scalars of the kernels and of the rules in stages. Tags without Scalars are
/// lines of one block.
void AddScalars(const SpecText &spec, NamespacedText *text) {
  std::vector<const PlanText *> rules;
  for (const PlanText &rule : spec.kernels) rules.push_back(&rule);
  for (const PlanText &rule : spec.rules) {
    if (rule.plan().is_staged()) rules.push_back(&rule);
  }
  for (size_t i = 0; i < rules.size();) {
    const PlanText &first = *rules[i];
    std::string lines = ScalarsText(first);
    for (++i; i < rules.size() && !first.has_scalars() && !rules[i]->has_scalars() &&
              rules[i]->fused_path() == first.fused_path();
         ++i) {
      lines += ScalarsText(*rules[i]);
    }
    text->Add(first.fused_path(), lines);
  }
}

OutputFile Header(const SpecText &spec, const EmitOptions &options) {
  NamespacedText fused;
  AddScalars(spec, &fused);
  for (const PlanText &rule : spec.kernels) {
    if (rule.plan().uses_views) fused.Add(rule.fused_path(), ViewMakersText(rule));
  }
  Values region;
  region.Set("stem", spec.stem)
      .Set("scalar_namespace", spec.ScalarNamespace())
      .Set("row_buffers", spec.HasRowBuffers())
      .Set("views", spec.ReadsViews());
  fused.Add(spec.home, RenderTemplate("common/scalar_region.tmpl.gen.h", region));
  for (const PlanText &rule : spec.rules) {
    fused.Add(rule.fused_path(), LauncherText(rule, spec));
    if (!rule.plan().rule.is_expression) continue;
    fused.Add(rule.fused_path(), ExpressionDeclarationsText(rule, spec));
  }
  for (const PlanText &rule : spec.kernels) {
    fused.Add({"mshadow", "expr"}, PlanClassText(rule, spec));
  }
  NamespacedText unfused;
  for (const PlanText &rule : spec.rules) {
    if (!rule.plan().rule.is_expression) continue;
    fused.Add(rule.fused_path(), ExpressionText(rule, spec));
    unfused.Add(rule.spec_path(), UnfusedExpressionText(rule));
  }
  NamespacedText rules;
  for (const PlanText &rule : spec.rules) {
    rules.Add(rule.mode_path(), RuleClassText(rule, spec));
  }
  const auto needs = [](const PlanText &rule) { return rule.NeedsMathHeader(); };
  const bool needs_math_h = std::any_of(spec.rules.begin(), spec.rules.end(), needs) ||
                            std::any_of(spec.kernels.begin(), spec.kernels.end(), needs);
  const std::string file = spec.stem + ".gen.h";
  Values values;
  values.Set("banner", Banner(spec, ".gen.h", "", options) + RuleCards(spec))
      .Set("file", file)
      .Set("guard", spec.Guard(file))
      .Set("revision", std::to_string(kCodeRevision))
      .Set("spec", spec.path)
      .Set("unfused_names", UnfusedNames(spec, options))
      .Set("expressions", spec.HasExpressions())
      .Set("unfused_expressions", spec.HasExpressions() ? unfused.Finish() : "")
      .Set("needs_math_h", needs_math_h)
      .Set("views", spec.ReadsViews())
      .Set("ranked_views", spec.ReadsRankedViews())
      .Set("headers", ViewHeaders(spec))
      .Set("fused", fused.Finish())
      .Set("rules", rules.Finish());
  return {file, RenderTemplate("common/spec.tmpl.gen.h", values)};
}

OutputFile Formulas(const SpecText &spec, const EmitOptions &options) {
  std::vector<std::string> rules;
  for (const PlanText &rule : spec.kernels) rules.push_back(MapText(rule));
  const std::string files = spec.stem + ".gen.{h,cc" + (options.cuda ? ",cu}" : "}");
  const std::string what = "The formulas: each region of " + files +
                           " defines Vec and its functions, and then includes this text.";
  Values values;
  values.Set("banner", Banner(spec, ".map.inc", what, options)).Set("rules", Join(rules, "\n"));
  return {spec.stem + ".map.inc", RenderTemplate("common/spec.tmpl.map.inc", values)};
}

OutputFile Umbrella(const std::vector<SpecText> &specs, const EmitOptions &options) {
  CheckIdentifier(options.base, "base name");
  std::string license = options.license;
  if (!license.empty() && license.back() != '\n') license += '\n';
  std::vector<std::string> includes, rules;
  for (const SpecText &spec : specs) {
    includes.push_back("#include \"" + spec.stem + ".gen.h\"");
    for (const PlanText &rule : spec.rules) rules.push_back(rule.Global(rule.rule() + "Rule"));
  }
  const std::string name = options.base + ".h";
  Values values;
  values
      .Set("banner",
           license + "// " + name + " -- generated by mshadow-gen: every rule of this target.")
      .Set("guard", GuardName(Qualified(options.wrap) + "_" + name))
      .Set("includes", Join(includes, "\n"))
      .Set("wrap", !options.wrap.empty())
      .Set("wrap_path", Qualified(options.wrap))
      .Set("rules",
           RenderList("using " + options.base + "_rules = mshadow::TypeList<", rules, ">;"));
  return {name, RenderTemplate("common/umbrella.tmpl.h", values)};
}

}  // namespace

std::vector<OutputFile> EmitHeader(const std::vector<Plan> &plans, const EmitOptions &options) {
  const std::vector<SpecText> specs = GroupBySpec(plans, options);
  std::vector<OutputFile> files;
  for (const SpecText &spec : specs) {
    files.push_back(Header(spec, options));
    files.push_back(Formulas(spec, options));
  }
  files.push_back(Umbrella(specs, options));
  return files;
}

}  // namespace mgen
