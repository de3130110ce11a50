// SPDX-License-Identifier: Apache-2.0
#include "backends/common/banner.h"

#include <algorithm>
#include <set>

#include "backends/common/skeleton.h"
#include "backends/common/view_text.h"
#include "emit/comment.h"
#include "emit/cpp_expr.h"
#include "emit/determinism.h"
#include "emit/names.h"
#include "emit/shared_parts.h"
#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {
namespace {

std::string Lines(const std::string &text, const std::string &next = "// ") {
  return WrapComment(text, "// ", next, kLineWidth) + "\n";
}

/// "1 load", "3 stores".
std::string Count(int n, const std::string &noun) {
  const bool sibilant = noun.back() == 's' || noun.back() == 'h';
  return std::to_string(n) + " " + noun + (n == 1 ? "" : sibilant ? "es" : "s");
}

/// "'out'": a name inside a sentence.
std::string Quoted(const std::string &name) { return "'" + name + "'"; }

std::string QuotedAnd(const std::vector<std::string> &names) {
  std::vector<std::string> quoted;
  for (const std::string &name : names) quoted.push_back(Quoted(name));
  return JoinAnd(quoted);
}

class Card {
 public:
  explicit Card(const PlanText &rule) : rule_(rule), plan_(rule.plan()) {}

  std::string Text(bool titled, const SpecText &spec) {
    if (titled) out_ = "// " + rule_.title() + "\n";
    for (const Stage &stage : plan_.rule.stages) AddStatements(stage.body, 2);
    out_ += Lines("Fused " + Count(CountStatements(plan_.rule), "statement") + " into " +
                  (plan_.is_staged() ? Stages() + "."
                                     : Count(plan_.passes(), "pass") + " over memory: " + Moves()));
    AddApproximations(spec);
    AddDeterminism(spec);
    if (!plan_.is_staged()) AddRequirements("Requires: ");
    for (size_t i = 0; i < plan_.stages.size(); ++i) {
      const std::string stage = StageName(i);
      if (plan_.stages[i].call) {
        AddCall(stage, *plan_.stages[i].call);
        continue;
      }
      Card kernel(spec.KernelOf(plan_.stages[i]));
      out_ += Lines(stage + ": " + kernel.Moves());
      kernel.AddRequirements(stage + " requires: ");
      out_ += kernel.out_;
    }
    return out_;
  }

 private:
  /// "2 products, 1 scatter-add, 1 sort and 1 pass".
  std::string Stages() const {
    const int products = plan_.CountCalls(Statement::kProduct),
              scatters = plan_.CountCalls(Statement::kScatter),
              sorts = plan_.CountCalls(Statement::kSort),
              passes = plan_.passes() - products - scatters - sorts;
    std::vector<std::string> parts;
    if (products > 0) parts.push_back(Count(products, "product"));
    if (scatters > 0) parts.push_back(Count(scatters, "scatter-add"));
    if (sorts > 0) parts.push_back(Count(sorts, "sort"));
    if (passes > 0) parts.push_back(Count(passes, "pass"));
    return JoinAnd(parts);
  }

  /// "Stage 2 (statements 2, 3 and 4)".
  std::string StageName(size_t stage) const {
    const std::vector<Statement> &body = plan_.rule.stages[stage].body;
    const bool is_made = mgen::CountStatements(body) == 0;
    std::vector<std::string> numbers;
    ForEachStatement(body, [&](const Statement &s) {
      const bool counts = s.kind != Statement::kIf && s.is_made == is_made;
      const std::string number = std::to_string(s.number);
      if (counts && (numbers.empty() || numbers.back() != number)) numbers.push_back(number);
    });
    return "Stage " + std::to_string(stage + 1) + (is_made ? " (for statement" : " (statement") +
           (numbers.size() == 1 ? " " : "s ") + JoinAnd(numbers) + ")";
  }

  /// Adds what a call requires of its tensors.
  void AddCall(const std::string &stage, const StageCall &call) {
    if (call.kind == Statement::kSort) return AddSort(stage, call);
    const auto name = [this](int param) { return plan_.rule.params[param].name; };
    const bool scatters = call.kind == Statement::kScatter;
    const std::string target = Quoted(name(call.target)), left = Quoted(name(call.left.tensor)),
                      right = Quoted(name(call.right.tensor));
    std::string needs = "the shapes of " + JoinAnd({target, left, right}) + " fit the " +
                        (scatters ? "scatter-add" : "product");
    if (!plan_.rule.params[call.target].is_temporary) {
      needs += "; " + target + " overlaps neither " +
               (scatters ? left + " nor " + right : std::string("factor"));
    }
    out_ += Lines(stage + " requires: " + needs + ".");
  }

  void AddSort(const std::string &stage, const StageCall &call) {
    std::vector<std::string> names;
    for (const int target : call.targets()) {
      names.push_back(Quoted(plan_.rule.params[target].name));
    }
    names.push_back(Quoted(plan_.rule.params[call.left.tensor].name));
    out_ += Lines(stage + " requires: the shapes of " + JoinAnd(names) +
                  " fit the sort; no two of them overlap.");
  }

  static int CountStatements(const Rule &rule) {
    int statements = 0;
    for (const Stage &stage : rule.stages) statements += mgen::CountStatements(stage.body);
    return statements;
  }

  void AddStatements(const std::vector<Statement> &body, int indent) {
    for (const Statement &s : body) {
      if (mgen::CountStatements({s}) == 0) continue;  // a pass made all of it
      const std::string margin = "//" + std::string(indent + 1, ' ');
      if (s.kind != Statement::kIf) {
        const std::string first = margin + std::to_string(s.number) + "  ";
        const std::string next = "//" + std::string(first.size() - 2 + 4, ' ');
        out_ += WrapComment(EscapeComment(s.text), first, next, kLineWidth) + "\n";
        continue;
      }
      const bool is_else = s.then_body.empty();
      const Expr condition = is_else ? MakeOp(Op::kNot, {s.condition}) : s.condition;
      out_ += ConditionLines(margin, condition) + "\n";
      AddStatements(is_else ? s.else_body : s.then_body, indent + 2);
      if (is_else || s.else_body.empty()) continue;
      out_ += margin + "else\n";
      AddStatements(s.else_body, indent + 2);
    }
  }

  /// "//   if (a > b)". A condition that is longer than a line is broken at its spaces.
  std::string ConditionLines(const std::string &margin, const Expr &condition) const {
    if (IsLong(condition)) return margin + "if (...)";
    const std::string text =
        RenderExpr(margin + "if (", condition, ")", rule_.PeopleStyle(), 10 * kLineWidth);
    if (text.find('\n') == std::string::npos) return text;
    std::string words;
    for (const char c : text.substr(margin.size())) {
      const bool is_space = c == '\n' || c == ' ';
      if (!is_space || words.back() != ' ') words += is_space ? ' ' : c;
    }
    return WrapComment(words, margin, margin + "    ", kLineWidth);
  }

  /// "2 loads, 1 store, 12 bytes per float element."
  std::string Moves() const {
    int loads = 0, stores = 0, small_loads = 0, small_stores = 0;
    for (const Operand &operand : plan_.operands) {
      if (operand.is_temporary) continue;
      const bool is_small = !operand.axes.is_every() && operand.by < 0;
      (is_small ? small_loads : loads) += operand.load;
      (is_small ? small_stores : stores) += !operand.store.never();
    }
    std::vector<std::string> small;
    if (small_loads > 0) small.push_back(Count(small_loads, "load"));
    if (small_stores > 0) small.push_back(Count(small_stores, "store"));
    const std::string besides =
        small.empty() ? "" : "; " + JoinAnd(small) + " of vectors or scalar tensors";
    const auto &instances = plan_.rule.instances;
    const bool generic = !rule_.type_params().empty() && !instances.empty();
    const std::string element = generic ? ShortName(instances[0], "/") + " element" : "element";
    return Count(loads, "load") + ", " + Count(stores, "store") + ", " +
           Count(plan_.bytes, "byte") + " per " + element + besides + "." + Sweeps();
  }

  /// How often a kernel goes over each row or channel; "" for kernels without any.
  std::string Sweeps() const {
    const int sweeps = plan_.sweeps();
    if (plan_.is_staged() || SkeletonOf(plan_).each.empty()) return "";
    const std::string &each = SkeletonOf(plan_).each;
    return " The kernel goes over each " + each + " " +
           (sweeps == 1 ? "once."
                        : std::to_string(sweeps) + " times, from cache after the first time.") +
           Buffers();
  }

  /// Names the values that row buffers keep for later sweeps.
  std::string Buffers() const {
    std::vector<std::string> names;
    for (size_t i = 0; i < plan_.operands.size(); ++i) {
      if (plan_.IsRowBuffer(static_cast<int>(i))) names.push_back(plan_.operands[i].name);
    }
    return names.empty() ? "" : " CPUs compute " + QuotedAnd(names) + " once for all passes.";
  }

  /// Adds the number of approximate operations, and their bound.
  void AddApproximations(const SpecText &spec) {
    if (spec.numerics != Numerics::kFast) return;
    const int count = CountApproximations(plan_, spec.numerics);
    out_ += Lines(count == 0 ? "No operation is approximate."
                             : Count(count, "operation") + (count == 1 ? " is" : " are") +
                                   " approximate, within " + std::to_string(kFastUlps) +
                                   " units in the last place" + (count == 1 ? "." : " each."));
  }

  /// Adds whether the rule's bits are the same everywhere.
  void AddDeterminism(const SpecText &spec) {
    const auto limit = LimitOf(plan_.rule, spec.numerics);
    out_ += Lines(
        limit ? EscapeComment("Determinism: from run to run only, because " + limit->reason + ".")
              : "Determinism: the same bits everywhere.");
  }

  std::string NeedOf(const SameShape &shape) const {
    std::vector<std::string> names;
    for (const int tensor : shape.tensors) names.push_back(plan_.rule.params[tensor].name);
    const std::string both = QuotedAnd(names);
    if (shape.axes.is_every()) return both + " have the same shape";
    if (shape.axes.is_rows()) return both + " have the same extents but the last";
    if (shape.axes == Axes::Without(0)) return both + " have the same extents but the first";
    if (shape.axes == Axes::Last()) return both + " have the same last extent";
    if (const int dim = shape.axes.without(); dim >= 0)
      return both + " have the same extents but that of dimension " + std::to_string(dim);
    return both + " have the same extent of dimension " + shape.axes.text();
  }

  /// The first tensor or view that has an element for each of the kernel, or must have its shape;
  /// -1: a kernel that uses none reduces a constant, say.
  int FirstWithElements() const {
    for (const Operand &operand : plan_.operands) {
      if (operand.axes.is_every()) return operand.param;
    }
    for (const Fitting &fits : plan_.fitting) {
      if (fits.tensor->op == Op::kRead && IsInPlace(*fits.tensor)) return fits.tensor->index;
    }
    return -1;
  }

  /// Whether a Fitting is that of a tensor of which only some extents count.
  static bool IsOfSomeExtents(const Node &fitting) {
    return fitting.op == Op::kDim && fitting.dim != -1;
  }

  /// The tensors of which a launch compares some extents, with each other or with the kernel's.
  std::vector<SameShape> Compared() const {
    std::vector<SameShape> compared;
    for (const Fitting &fits : plan_.fitting) {
      const Node &e = *fits.tensor;
      if (!IsOfSomeExtents(e)) continue;
      const Axes axes = e.dim == Node::kRows ? Axes::Rows() : Axes::Without(Node::kRest - e.dim);
      const int first = FirstWithElements();
      if (first >= 0 && first != e.index) compared.push_back({{first, e.index}, fits.used, axes});
    }
    for (const SameShape &shape : plan_.same_shapes) {
      if (shape.tensors.size() > 1) compared.push_back(shape);
    }
    return compared;
  }

  void AddRequirements(const std::string &head) {
    std::vector<std::string> same, rows, columns, channels, rest, ones;
    int only = -1, without = -1;  // dimensions
    const auto list_for = [&](const Axes &axes) {
      if (axes.is_every()) return &same;
      if (axes.is_rows()) return &columns;
      if (axes == Axes::Last()) return &rows;
      only = std::max(only, axes.only());
      without = std::max(without, axes.without());
      return axes.only() >= 0 ? &channels : axes.without() >= 0 ? &rest : &ones;
    };
    for (const Operand &operand : plan_.operands) {
      if (!operand.is_temporary) list_for(operand.axes)->push_back(operand.name);
    }
    for (const Fitting &fits : plan_.fitting) {
      const Expr &e = fits.tensor;
      if (IsOfSomeExtents(*e)) continue;
      const std::string &name = plan_.rule.params[e->index].name;
      const Axes axes = e->op == Op::kRead ? e->axes : Axes::Every();
      list_for(axes)->push_back(name);
    }
    std::vector<std::string> needs;
    if (same.size() > 1) needs.push_back(QuotedAnd(same) + " have the same shape");
    for (const SameShape &shape : Compared()) needs.push_back(NeedOf(shape));
    const auto has = [](const std::vector<std::string> &names, const std::string &what) {
      return QuotedAnd(names) + (names.size() == 1 ? " has " : " have ") + what;
    };
    if (!rows.empty())
      needs.push_back(has(rows, "one element for each column of " + Quoted(same[0])));
    if (!columns.empty())
      needs.push_back(has(columns, "one element for each row of " + Quoted(same[0])));
    if (!channels.empty()) {
      const std::string dim = std::to_string(only);
      needs.push_back(has(
          channels, "one element for each index of dimension " + dim + " of " + Quoted(same[0])));
    }
    if (!rest.empty()) {
      const std::string dim = std::to_string(without);
      needs.push_back(has(rest, "one element for each index of the dimensions of " +
                                    Quoted(same[0]) + " other than " + dim));
    }
    if (!ones.empty()) needs.push_back(has(ones, "one element"));
    std::vector<std::string> indices;
    for (const Operand &gather : plan_.operands) {
      if (gather.by < 0) continue;
      const std::string &name = plan_.rule.params[gather.by].name;
      if (std::find(indices.begin(), indices.end(), name) == indices.end()) indices.push_back(name);
    }
    if (!indices.empty()) {
      needs.push_back(QuotedAnd(indices) + (indices.size() == 1 ? " holds" : " hold") +
                      " column indices of " + Quoted(same[0]));
    }
    if (plan_.operands.size() > 1) needs.push_back(Overlap());
    AddViews();
    if (!needs.empty()) out_ += Lines(head + Join(needs, "; ") + ".");
  }

  /// Adds the expressions that slices and views are.
  void AddViews() {
    std::vector<std::string> names;
    for (size_t i = 0; i < plan_.operands.size(); ++i) {
      const Param &param = plan_.rule.params[plan_.operands[i].param];
      if (!param.view) continue;
      names.push_back(Quoted(param.name) + " is " + ViewName(rule_, static_cast<int>(i)));
    }
    if (!names.empty()) out_ += Lines(EscapeComment(JoinAnd(names) + "."));
  }

  /// The sentence on overlap: which arguments may be the same, and that no others may overlap.
  std::string Overlap() const {
    std::vector<std::string> exceptions;
    std::set<std::pair<int, int>> seen;
    for (const AliasRule &alias : plan_.aliases) {
      const auto pair = std::minmax(alias.written, alias.other);
      if (!alias.same_allowed || !seen.insert(pair).second) continue;
      exceptions.push_back(Quoted(plan_.rule.params[alias.written].name) + " may alias " +
                           Quoted(plan_.rule.params[alias.other].name));
    }
    const std::string writes = "outputs overlap no other argument";
    return exceptions.empty() ? writes : writes + ", except that " + JoinAnd(exceptions);
  }

  const PlanText &rule_;
  const Plan &plan_;
  std::string out_;
};

}  // namespace

std::string Banner(const SpecText &spec, const std::string &extension, const std::string &what,
                   const EmitOptions &options) {
  std::string license = options.license;
  if (!license.empty() && license.back() != '\n') license += '\n';
  std::string banner =
      license + Lines(spec.stem + extension + " -- generated by mshadow-gen from " + spec.path +
                      "; edit the spec, not this file.");
  if (!what.empty()) banner += Lines(what);
  const std::string notice = NoticeOf(options.numerics);
  if (!notice.empty()) banner += Lines(notice);
  return banner;
}

std::string RuleCards(const SpecText &spec) {
  std::string cards;
  for (const PlanText &rule : spec.rules) {
    const bool titled = spec.rules.size() > 1;
    cards += (titled ? "//\n" : "") + Card(rule).Text(titled, spec);
  }
  return cards;
}

}  // namespace mgen
