// SPDX-License-Identifier: Apache-2.0
#include "backends/common/body_text.h"

#include "backends/common/reducer_text.h"
#include "emit/comment.h"
#include "emit/names.h"

namespace mgen {
namespace {

/// Columns that the comment "  // 12" takes at the end of a statement.
constexpr int kNumberWidth = 7;

class Body {
 public:
  Body(const PlanText &rule, const BodyForm &form) : rule_(rule), form_(form) {}

  std::string TextOf(const std::vector<Step> &steps) {
    AddSteps(steps, "");
    return AlignComments(lines_, comments_, kLineWidth - form_.indent);
  }

 private:
  void AddSteps(const std::vector<Step> &steps, const std::string &indent) {
    bool is_again = false;  // inside the braces of "if constexpr (!kBuffered)"
    for (const Step &step : steps) {
      if (step.again != is_again)
        Add(indent + (is_again ? "}" : "if constexpr (!kBuffered) {"), "");
      is_again = step.again;
      if (step.kind == Step::kIf) {
        AddIf(step, indent, indent + "if constexpr (");
      } else {
        AddValue(step, indent + (is_again ? "  " : ""));
      }
    }
    if (is_again) Add(indent + "}", "");
  }

  void AddValue(const Step &step, const std::string &indent) {
    const int width = kLineWidth - form_.indent - kNumberWidth;
    const bool reduces = step.kind == Step::kReduce && form_.reduces;
    const bool scans = step.kind == Step::kLet && ClassOf(step.value->op) == OpClass::Scan;
    Add(reduces ? Render(Reducing(step, indent), width)
        : scans ? Render(Scanning(step, indent), width)
                : RenderExpr(indent + Target(step) + " = ", step.value, ";", form_.style, width),
        step.statement > 0 ? "// " + std::to_string(step.statement) : "");
  }

  /// "Reduce<Sum>(total_lanes, in * in, i.lanes);"
  Layout Reducing(const Step &step, const std::string &indent) const {
    const Reduction &reduction = rule_.plan().reductions[step.reduction];
    const Layout term = Concat({PrintExpr(step.value, form_.style), Text(",")});
    return Concat(
        {Text(indent + "Reduce<" + TermReducerName(rule_, reduction) + ">("),
         Align(Fill({Text(rule_.lanes_name(step.reduction) + ","), term, Text("i.lanes")})),
         Text(");")});
  }

  /// "const Vec<float, N> sums = sums_so_far.Inclusive(in * in, i);"
  Layout Scanning(const Step &step, const std::string &indent) const {
    const Node &scan = *step.value;
    const std::string word = scan.op == Op::kRecurrence ? ".Next("
                             : scan.is_exclusive        ? ".Exclusive("
                                                        : ".Inclusive(";
    std::vector<Layout> args;
    for (const Expr &arg : scan.args) {
      args.push_back(Concat({Align(PrintExpr(arg, form_.style)), Text(",")}));
    }
    args.push_back(Text("i"));
    return Concat({Text(indent + Target(step) + " = " + rule_.scan_name(step.let) + word),
                   Align(Fill(args)), Text(");")});
  }

  /// The variable that gets the value, with its declaration if the step has one.
  std::string Target(const Step &step) const {
    if (step.kind == Step::kAssign) {
      return (form_.declaration ? form_.declaration(step) : "") + rule_.operand_name(step.operand);
    }
    if (step.kind == Step::kReduce) return rule_.reduction_name(step.reduction);
    const bool is_mask = step.value->type == Type{ScalarKind::kBool};
    const bool is_pair = step.value->op == Op::kSinCos;
    return "const " + (is_mask || is_pair ? "auto" : rule_.PacketType(step.value->type)) + " " +
           rule_.let_name(step.let);
  }

  /// \param head the text before the condition: "if constexpr (" or "} else if constexpr ("
  void AddIf(const Step &step, const std::string &indent, const std::string &head) {
    const std::string &condition = rule_.condition_param(step.condition);
    const bool negated = step.then_steps.empty();
    Add(head + (negated ? "!" : "") + condition + ") {", "");
    AddSteps(negated ? step.else_steps : step.then_steps, indent + "  ");
    if (!negated && !step.else_steps.empty()) {
      if (step.else_steps.size() == 1 && step.else_steps[0].kind == Step::kIf) {
        return AddIf(step.else_steps[0], indent, indent + "} else if constexpr (");
      }
      Add(indent + "} else {", "");
      AddSteps(step.else_steps, indent + "  ");
    }
    Add(indent + "}", "");
  }

  void Add(std::string line, std::string comment) {
    lines_.push_back(std::move(line));
    comments_.push_back(std::move(comment));
  }

  const PlanText &rule_;
  const BodyForm &form_;
  std::vector<std::string> lines_, comments_;
};

}  // namespace

std::string BodyText(const PlanText &rule, const std::vector<Step> &steps, const BodyForm &form) {
  return Body(rule, form).TextOf(steps);
}

}  // namespace mgen
