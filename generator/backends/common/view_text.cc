// SPDX-License-Identifier: Apache-2.0
#include "backends/common/view_text.h"

#include <algorithm>

#include "backends/common/read_text.h"
#include "emit/comment.h"
#include "emit/literal.h"
#include "emit/names.h"
#include "emit/template.h"
#include "ir/made_name.h"
#include "ir/view_call.h"

namespace mgen {
namespace {

std::string Maker(const PlanText &rule, int operand) {
  return rule.rule() + CamelCase(rule.operand_name(operand)) + "View";
}

bool UsesScalars(const View &view) {
  return std::any_of(view.operands.begin(), view.operands.end(), [](const View::Operand &part) {
    return part.has_value() && part.value->op == Op::kHoisted;
  });
}

bool IsDrawn(const PlanText &rule, int operand) {
  return rule.plan().rule.params[rule.plan().operands[operand].param].is_drawn();
}

/// Whether a view has the rank of a rule for any rank.
bool IsForAnyRank(const PlanText &rule, int operand) {
  if (IsDrawn(rule, operand)) return false;
  return rule.plan().rule.params[rule.plan().operands[operand].param].rank == Param::kRankParam;
}

/// The names in a maker.
struct MakerNames {
  std::vector<std::string> args;  ///< parameters, by the parameter of the rule
  std::string rank;               ///< the rank as a template parameter
};

MakerNames NamesOf(const PlanText &rule) {
  Scope scope({"s", "mshadow"});
  for (const std::string &name : rule.type_params()) scope.Take(name);
  const size_t count = rule.plan().rule.params.size();
  for (size_t i = 0; i < count; ++i) scope.Take(rule.param_name(i));
  MakerNames names;
  for (size_t i = 0; i < count; ++i) {
    names.args.push_back(scope.Take(MadeName(rule.param_name(i) + "_arg")));
  }
  names.rank = scope.Take(rule.plan().rule.rank_name());
  return names;
}

std::string RankName(const PlanText &rule) { return NamesOf(rule).rank; }

std::string ArgType(const PlanText &rule, int param) {
  return "TensorArg<" + rule.TypeName(rule.plan().rule.params[param].type) + ">";
}

/// `const auto in = mshadow::Source<2>("Glu", "in", in_arg);`
std::string SourceLine(const PlanText &rule, int param) {
  const Param &source = rule.plan().rule.params[param];
  const std::string &name = rule.param_name(param);
  const bool has_any = source.rank == Param::kRankParam;
  const std::string rank = has_any ? RankName(rule) : std::to_string(source.rank);
  return "const auto " + name + " = mshadow::Source<" + rank + ">(\"" + rule.plan().title() +
         "\", \"" + source.name + "\", " + NamesOf(rule).args[param] + ");";
}

/// A number of the launch, which is an int64_t, as an index_t.
std::string IndexText(const PlanText &rule, const Expr &value) {
  const std::string text = LaunchScalarText(rule, value);
  return value->op == Op::kHoisted ? "mshadow::index_t(" + text + ")" : text;
}

std::string PartText(const PlanText &rule, const View::Operand &part) {
  switch (part.kind) {
    case View::Operand::kTensor:
      return rule.param_name(part.param);
    case View::Operand::kShape:
      return rule.param_name(part.param) + ".shape_";
    case View::Operand::kScalar:
      return LaunchScalarText(rule, part.value);
    case View::Operand::kIndex:
      return IndexText(rule, part.value);
    case View::Operand::kType:
      return rule.TypeName(part.type);
    case View::Operand::kRank:
      return RankText(RankName(rule), part.offset);
  }
  return "";
}

std::string PartName(const PlanText &rule, const View::Operand &part) {
  const bool is_scalar = part.has_value();
  if (is_scalar && part.value->op == Op::kHoisted) return rule.scalar_name(part.value->index);
  if (is_scalar) {
    return std::visit([](auto v) { return std::to_string(v); }, part.value->value);
  }
  if (part.kind == View::Operand::kType) return rule.TypeName(part.type);
  if (part.kind == View::Operand::kRank) {
    return RankText(rule.plan().rule.rank_name(), part.offset);
  }
  const std::string &name = rule.plan().rule.params[part.param].name;
  return part.kind == View::Operand::kShape ? name + ".shape_" : name;
}

std::string NameOf(const PlanText &rule, const View &view) {
  return WithoutRuntimeNamespaces(
      AsInSpec(view).Fill([&](const View::Operand &part) { return PartName(rule, part); }));
}

/// `return f(a, b);`, in several lines if one is too short.
std::string ReturnText(const std::string &text) {
  const size_t open = text.find('(');
  std::vector<std::string> args = {""};
  int depth = 0;
  bool is_call = open != 0 && open != std::string::npos && text.back() == ')';
  for (size_t i = open + 1; is_call && i + 1 < text.size(); ++i) {
    const char c = text[i];
    depth += (c == '(' || c == '<' || c == '[') - (c == ')' || c == '>' || c == ']');
    if (depth < 0) is_call = false;  // "f(a).T()"
    if (c == ',' && depth == 0) {
      args.emplace_back();
    } else if (c != ' ' || !args.back().empty()) {
      args.back() += c;
    }
  }
  if (!is_call) return "return " + text + ";";
  if (args.back().empty()) args.pop_back();
  return RenderList("return " + text.substr(0, open + 1), args, ");", kLineWidth - 4);
}

}  // namespace

std::string LaunchScalarText(const PlanText &rule, const Expr &value) {
  if (value->op == Op::kHoisted) return "s." + rule.scalar_name(value->index);
  return LiteralText(value->value, value->type, rule.TypeName(value->type));
}

std::vector<int> ViewsOf(const PlanText &rule) {
  std::vector<int> views;
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    if (rule.plan().ViewOf(static_cast<int>(i))) views.push_back(static_cast<int>(i));
  }
  return views;
}

bool HasRankedViews(const PlanText &rule) {
  const std::vector<int> views = ViewsOf(rule);
  return std::any_of(views.begin(), views.end(),
                     [&rule](int operand) { return IsForAnyRank(rule, operand); });
}

std::string ViewName(const PlanText &rule, int operand) {
  return ViewNameOfParam(rule, rule.plan().operands[operand].param);
}

std::string ViewNameOfParam(const PlanText &rule, int param) {
  return NameOf(rule, *rule.plan().rule.params[param].view);
}

MadeExpression ExpressionOf(const PlanText &rule, int operand) {
  return {rule.plan().ViewOf(operand), Maker(rule, operand), IsForAnyRank(rule, operand)};
}

MadeExpression ExpressionOf(const PlanText &rule, int operand, const IndexedRead &read) {
  int before = 0;
  bool is_before = true;
  ForEachRead(*rule.plan().operands[operand].read, [&](const IndexedRead &each) {
    is_before = is_before && &each != &read;
    before += is_before && each.computed;
  });
  const std::string number = before == 0 ? "" : std::to_string(before + 1);
  return {&*read.computed, Maker(rule, operand) + "Source" + number, read.has_rank_of_rule};
}

namespace {

/// All that a launch makes for a view: its whole expression, and what kernels evaluate of it.
std::vector<MadeExpression> ExpressionsOf(const PlanText &rule, int operand) {
  std::vector<MadeExpression> all = {ExpressionOf(rule, operand)};
  const Operand &of = rule.plan().operands[operand];
  if (!of.read || IsOnlyChecked(rule, operand)) return all;
  ForEachRead(*of.read, [&](const IndexedRead &read) {
    if (read.computed) all.push_back(ExpressionOf(rule, operand, read));
  });
  return all;
}

std::string MakerText(const PlanText &rule, const MadeExpression &made) {
  std::vector<std::string> params, sources;
  for (int param : made.view->Arguments()) {
    params.push_back("const mshadow::" + ArgType(rule, param) + " &" + NamesOf(rule).args[param]);
    sources.push_back(SourceLine(rule, param));
  }
  if (UsesScalars(*made.view)) params.push_back("const " + rule.ScalarsType() + " &s");
  Values values;
  values
      .Set("what", WrapComment(EscapeComment("What " + rule.plan().title() + " reads as " +
                                             NameOf(rule, *made.view) + "."),
                               "/// ", "/// ", kLineWidth))
      .Set("template", TemplateLine(rule.TypenameParams()))
      .Set("maker", made.maker)
      .Set("for_any_rank", made.is_for_any_rank)
      .Set("rank", made.is_for_any_rank ? RankName(rule) : "")
      .Set("signature", RenderList("static auto Make(", params, ") {", kLineWidth - 2))
      .Set("sources", Join(sources, "\n"))
      .Set("expression", ReturnText(made.view->Fill(
                             [&](const View::Operand &part) { return PartText(rule, part); })));
  return RenderTemplate("common/view.tmpl.gen.h", values);
}

/// The arguments of a maker.
std::vector<std::string> MakerArgs(const PlanText &rule, const View &view) {
  std::vector<std::string> args;
  for (int param : view.Arguments()) args.push_back(rule.param_name(param));
  if (UsesScalars(view)) args.push_back("s");
  return args;
}

/// "GluGateView<DType>".
std::string MakerType(const PlanText &rule, const MadeExpression &made) {
  return made.maker + TemplateArgs(rule.type_params());
}

/// "GluGateView<DType>::Make(in, s)", where `s` are the launch's scalars.
std::string MadeView(const PlanText &rule, const MadeExpression &made) {
  return MakerType(rule, made) + "::Make(" + Join(MakerArgs(rule, *made.view), ", ") + ")";
}

/// The first argument of a view for any rank that has the rank of the rule.
int RankedArgument(const PlanText &rule, const View &view) {
  const std::vector<int> params = view.Arguments();
  return *std::find_if(params.begin(), params.end(), [&rule](int param) {
    return rule.plan().rule.params[param].rank == Param::kRankParam;
  });
}

/// What messages of a launch begin with: the device, the rule and the view.
std::vector<std::string> NamesInMessages(const PlanText &rule, int operand) {
  return {"device", "\"" + rule.plan().title() + "\"", "\"" + ViewName(rule, operand) + "\""};
}

}  // namespace

std::string ViewMakersText(const PlanText &rule) {
  std::vector<std::string> makers;
  for (int i : ViewsOf(rule)) {
    if (IsDrawn(rule, i)) continue;
    for (const MadeExpression &made : ExpressionsOf(rule, i)) {
      makers.push_back(MakerText(rule, made));
    }
  }
  return Join(makers, "\n");
}

std::string ExpressionType(const PlanText &rule, const MadeExpression &made) {
  std::vector<std::string> args = {rule.Global(made.maker) + TemplateArgs(rule.type_params())};
  for (int param : made.view->Arguments()) args.push_back(ArgType(rule, param));
  if (UsesScalars(*made.view)) {
    const bool generic = rule.scalars_depend_on_types();
    args.push_back(rule.Global(rule.rule() + "Scalars") +
                   (generic ? TemplateArgs(rule.type_params()) : ""));
  }
  if (!made.is_for_any_rank) return "ViewOf<" + Join(args, ", ") + ">";
  args.insert(args.begin() + 1, std::to_string(made.view->least_rank));
  return "RankedView<" + Join(args, ", ") + ">";
}

std::string ExpressionSet(const PlanText &rule, int operand, const MadeExpression &made,
                          const std::string &member) {
  std::vector<std::string> args = NamesInMessages(rule, operand);
  if (made.is_for_any_rank) {
    args.push_back(rule.param_name(RankedArgument(rule, *made.view)) + ".dim");
    for (std::string &arg : MakerArgs(rule, *made.view)) args.push_back(std::move(arg));
  } else {
    args.push_back(MadeView(rule, made));
  }
  return RenderList(member + ".Set(", args, ");", kLineWidth - 4);
}

std::string ViewType(const PlanText &rule, int operand) {
  if (rule.plan().operands[operand].read) return ReadType(rule, operand);
  if (IsDrawn(rule, operand)) {
    const View &view = *rule.plan().ViewOf(operand);
    return "DrawnView<mshadow::DrawKind::k" + CamelCase(view.Drawn()) + ", " +
           rule.TypeName(rule.plan().operands[operand].type) + ">";
  }
  return ExpressionType(rule, ExpressionOf(rule, operand));
}

namespace {

/// Whether a vector of indices names the rows of a read. A launch must check these indices.
bool IsGathered(const PlanText &rule, int operand) {
  const std::optional<IndexedRead> &read = rule.plan().operands[operand].read;
  return !IsOnlyChecked(rule, operand) && read && read->is_gathered();
}

}  // namespace

std::string ViewCheck(const PlanText &rule, int operand) {
  const View &view = *rule.plan().ViewOf(operand);
  const std::string name = "\"" + ViewName(rule, operand) + "\"";
  if (IsDrawn(rule, operand)) {
    const std::string &like = rule.param_name(view.Arguments().front());
    return RenderList("check.View(", {name, like + ".shape", like + ".dim"}, ");", kLineWidth - 4);
  }
  const std::string maker = MakerType(rule, ExpressionOf(rule, operand));
  std::string head = "mshadow::CheckView<" + maker + ">(";
  std::vector<std::string> args = {"&check", name, "\"" + rule.plan().title() + "\""};
  if (IsForAnyRank(rule, operand)) {
    const int ranked = RankedArgument(rule, view);
    head = "mshadow::CheckRankedView<" + maker + ", " + std::to_string(view.least_rank) + ">(";
    args.push_back("\"" + rule.plan().rule.params[ranked].name + "\"");
    args.push_back(rule.param_name(ranked) + ".dim");
  }
  for (std::string &arg : MakerArgs(rule, view)) args.push_back(std::move(arg));
  return RenderList(head, args, ");", kLineWidth - 4);
}

bool IsOnlyChecked(const PlanText &rule, int operand) {
  return rule.plan().ViewOf(operand) != nullptr && !rule.plan().operands[operand].load &&
         !IsForAnyRank(rule, operand) && !IsDrawn(rule, operand);
}

namespace {

/// `plan.in_random_uniform.Set(s.seed, s.step);`
std::string DrawnSet(const PlanText &rule, int operand) {
  std::vector<std::string> args;
  for (const View::Operand &part : rule.plan().ViewOf(operand)->operands) {
    if (part.has_value()) args.push_back(LaunchScalarText(rule, part.value));
  }
  return RenderList("plan." + rule.operand_name(operand) + ".Set(", args, ");", kLineWidth - 4);
}

}  // namespace

std::string ViewSet(const PlanText &rule, int operand) {
  if (IsDrawn(rule, operand)) return DrawnSet(rule, operand);
  const MadeExpression made = ExpressionOf(rule, operand);
  std::vector<std::string> check = NamesInMessages(rule, operand);
  check.push_back(MadeView(rule, made));
  const std::string checked = RenderList("mshadow::CheckIndices(", check, ");", kLineWidth - 4);
  if (IsOnlyChecked(rule, operand)) return checked;
  if (IsGathered(rule, operand)) return checked + "\n" + ReadSet(rule, operand);
  if (rule.plan().operands[operand].read) return ReadSet(rule, operand);
  return ExpressionSet(rule, operand, made, "plan." + rule.operand_name(operand));
}

}  // namespace mgen
