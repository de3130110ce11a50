// SPDX-License-Identifier: Apache-2.0
#include "ir/printer.h"

#include <utility>

#include "ir/builder.h"
#include "ir/expr_printer.h"

namespace mgen {
namespace {

std::string Quoted(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + "\"";
}

std::string NameOfRuleLeaf(const Rule &rule, const Node &leaf) {
  if (leaf.op == Op::kLocal) return rule.prologue.at(leaf.index).name;
  if (leaf.op == Op::kCondition) return "condition " + std::to_string(leaf.index);
  const bool has_reducer = ClassOf(leaf.op) == OpClass::Reduce || leaf.op == Op::kScan;
  if (has_reducer) return rule.reducers.at(leaf.index).name;
  return rule.params.at(leaf.index).name;
}

ExprPrinter PrinterFor(const Rule &rule) {
  return ExprPrinter(rule.type_params(),
                     [&rule](const Node &leaf) { return NameOfRuleLeaf(rule, leaf); });
}

void CollectLets(const std::vector<Step> &steps, std::map<int, std::string> *names) {
  for (const Step &step : steps) {
    if (step.kind == Step::kLet) (*names)[step.let] = step.name;
    CollectLets(step.then_steps, names);
    CollectLets(step.else_steps, names);
  }
}

ExprPrinter PrinterFor(const Plan &plan) {
  std::map<int, std::string> lets;
  CollectLets(plan.steps, &lets);
  for (const Phase &phase : plan.phases) CollectLets(phase.steps, &lets);
  return ExprPrinter(plan.rule.type_params(), [&plan, lets](const Node &leaf) {
    if (leaf.op == Op::kHoisted) return plan.scalars.at(leaf.index).name;
    if (leaf.op == Op::kCondition) return plan.conditions.at(leaf.index).name;
    if (leaf.op == Op::kReduced) return plan.reductions.at(leaf.index).name;
    if (leaf.op == Op::kLet) return lets.at(leaf.index);
    return NameOfRuleLeaf(plan.rule, leaf);
  });
}

std::string ViewText(const View &view, const Rule &rule, ExprPrinter *exprs) {
  std::string text = Quoted(view.text);
  const char *separator = " ";
  for (const View::Operand &operand : view.operands) {
    const std::string name = operand.param < 0 ? "" : rule.params.at(operand.param).name;
    text += separator;
    text += operand.kind == View::Operand::kTensor   ? name
            : operand.kind == View::Operand::kShape  ? "shape " + name
            : operand.kind == View::Operand::kScalar ? exprs->Print(operand.value)
            : operand.kind == View::Operand::kIndex  ? "index " + exprs->Print(operand.value)
            : operand.kind == View::Operand::kRank   ? "rank " + RankText("dim", operand.offset)
                                                     : "type " + exprs->TypeName(operand.type);
    separator = ", ";
  }
  for (const std::string &header : view.headers) text += " from " + Quoted(header);
  return text;
}

std::string RankName(const Param &param) {
  return param.rank == Param::kRankParam ? "dim" : std::to_string(param.rank);
}

/// Prints a rule's or plan's lines.
class Writer {
 public:
  Writer(const Rule &rule, ExprPrinter exprs) : rule_(rule), exprs_(std::move(exprs)) {}

  std::string text;

  void Signature();
  void Prologue();
  void Stages();
  std::string MovedText(const IndexedRead::Moved &moved);
  std::string ReadText(const IndexedRead &read);
  std::string LeavesText(const Leaves &leaves) const;
  void Operands(const Plan &plan);
  void Steps(const Plan &plan, const std::vector<Step> &steps, int depth);
  void Phases(const Plan &plan);

 private:
  void ScheduleLines(const Plan &plan);
  std::string PhaseSchedule(const Plan &plan, const Phase &phase) const;
  void Line(int depth, const std::string &line) {
    text += std::string(2 * depth, ' ') + line + "\n";
  }
  static std::string Remark(const std::string &remark) {
    return remark.empty() ? "" : "  ; " + Quoted(remark);
  }
  std::string Head() const;
  std::string TemplateParams() const;
  std::string ParamLine(const Param &param);
  std::string Shape(const Param &param);
  std::string ViewLine(const Param &param);
  std::string ReducerLine(const Reducer &reducer);
  std::string Value(const Param &param) const;
  void Body(const std::vector<Statement> &body, int depth);
  std::string FittingText(const std::vector<Expr> &fitting);
  std::string Counting(const Statement &statement) const;
  std::string Tensors(const char *what, const std::vector<int> &tensors) const;
  std::string Call(const Statement &statement);
  std::string Sorted(const Statement &statement) const;
  std::string GuardText(const Plan &plan, const Guard &guard) const;

  const Rule &rule_;
  ExprPrinter exprs_;
};

std::string Writer::TemplateParams() const {
  static constexpr const char *kKinds[] = {"device", "rank", "type"};
  std::string list;
  for (const TemplateParam &param : rule_.template_params) {
    if (!list.empty()) list += ", ";
    list += param.name;
    const TemplateParam::Kind usual = param.name == "xpu"   ? TemplateParam::kDevice
                                      : param.name == "dim" ? TemplateParam::kRank
                                                            : TemplateParam::kElementType;
    if (param.kind != usual) list += std::string(": ") + kKinds[param.kind];
  }
  return list;
}

std::string Writer::Head() const {
  std::string head = "rule ";
  for (const std::string &name : rule_.namespaces) head += name + "::";
  head += rule_.name + "<" + TemplateParams() + ">";
  for (const std::vector<ScalarKind> &instance : rule_.instances) {
    head += " [";
    for (size_t i = 0; i < instance.size(); ++i) {
      if (i > 0) head += ", ";
      head += IrName(instance[i]);
    }
    head += "]";
  }
  return head;
}

std::string Writer::Value(const Param &param) const {
  return std::visit(
      [&param](auto v) -> std::string {
        if constexpr (std::is_same_v<decltype(v), bool>) return v ? "true" : "false";
        if constexpr (std::is_same_v<decltype(v), double>) {
          // A default has been converted to the parameter's type, an initial value has not.
          return PrintNumber(v, param.is_tensor ? ScalarKind::kFloat64 : param.type.kind);
        }
        return std::to_string(v);
      },
      *param.value);
}

/// The shape of a temporary.
std::string Writer::Shape(const Param &param) {
  if (param.shape_of >= 0) return rule_.params.at(param.shape_of).name;
  std::string list;
  for (const Expr &extent : param.extents) {
    list += (list.empty() ? "" : ", ") + exprs_.Print(extent);
  }
  return list;
}

std::string Writer::ParamLine(const Param &param) {
  std::string line = param.is_const ? "const " : "";
  line += param.is_temporary ? "temporary " : param.is_tensor ? "tensor " : "scalar ";
  line += param.name + ": " + exprs_.TypeName(param.type);
  if (param.is_tensor) {
    line += " " + RankName(param);
    if (param.is_single) line += " single";
    if (param.shape_of >= 0 || !param.extents.empty()) line += " shape(" + Shape(param) + ")";
    if (param.is_workspace) line += " workspace";
    if (!param.title.empty()) line += " for " + Quoted(param.title);
  }
  if (param.passing == Param::kByConstRef) line += " const&";
  if (param.passing == Param::kByRef) line += " &";
  if (param.role != Role::kNone) line += " " + std::string(IrName(param.role));
  if (param.is_checked) line += " checked";
  if (param.value.has_value()) {
    line += param.is_tensor ? "(" + Value(param) + ")" : " = " + Value(param);
  }
  return line + Remark(param.doc);
}

std::string PartDims(const View &view) {
  std::string text;
  for (const int dim : view.ranges) {
    text += (text.empty() ? "" : ", ") + (dim == Node::kLastDim ? "last" : std::to_string(dim));
  }
  return text;
}

/// `view turned: f32 2 = "mshadow::expr::flip($0, $1)" in, 1i32`
/// `view turned: f32 dim least 2 = "mshadow::expr::flip($0, $1)" in, rank dim - 1`
/// `part half: f32 2 of 1 = "mshadow::expr::slice<1>($0, $1, $2)" in, 0i64, dim(in, 1)`
/// `part half: f32 dim of last = "mshadow::expr::slice<$3>($0, $1, $2)" in, 0i64, 4i64, rank dim -
/// 1`
/// `part weight_rows: f32 2 named = "mshadow::expr::rows($0, $1)" weight, index`
/// `part sums_elements: f32 1 flat = "$0.FlatTo1D()" sums`
/// `part out_matrix: f32 2 reshaped = "$0.FlatTo2D()" out`
std::string Writer::ViewLine(const Param &param) {
  const View &view = *param.view;
  return (view.is_part() ? "part " : "view ") + param.name + ": " + exprs_.TypeName(param.type) +
         " " + RankName(param) +
         (view.least_rank > 1 ? " least " + std::to_string(view.least_rank) : "") +
         (view.names_rows    ? " named"
          : view.is_flat     ? " flat"
          : view.is_reshaped ? " reshaped"
          : view.is_part()   ? " of " + PartDims(view)
                             : "") +
         " = " + ViewText(view, rule_, &exprs_);
}

/// `reducer clipped: f32 initial 0.0f32 reduce min(operand(1), …) merge add(operand(0),
/// operand(1))`
std::string Writer::ReducerLine(const Reducer &reducer) {
  std::string line = "reducer " + reducer.name + ": " + exprs_.TypeName(reducer.type);
  line += " initial " + exprs_.Print(reducer.initial) + " reduce " + exprs_.Print(reducer.reduce);
  if (reducer.has_own_merge()) line += " merge " + exprs_.Print(reducer.merge);
  return line;
}

void Writer::Signature() {
  Line(0, Head());
  if (!rule_.overloads.empty()) Line(1, "overloads " + rule_.overloads);
  if (!rule_.spec.empty()) Line(1, "spec " + Quoted(rule_.spec));
  for (const std::string &line : rule_.doc) Line(1, "doc " + Quoted(line));
  for (const Param &param : rule_.params) {
    if (!param.view) Line(1, ParamLine(param));
  }
  if (rule_.is_expression) Line(1, "expression");
  for (const Reducer &reducer : rule_.reducers) Line(1, ReducerLine(reducer));
}

void Writer::Prologue() {
  for (const Local &local : rule_.prologue) {
    Line(1, "let " + local.name + ": " + exprs_.TypeName(local.type) + " = " +
                exprs_.Print(local.value));
  }
  for (const Param &param : rule_.params) {
    if (param.view) Line(1, ViewLine(param));
  }
}

void Writer::Body(const std::vector<Statement> &body, int depth) {
  for (const Statement &statement : body) {
    if (statement.kind == Statement::kBoundary) {
      Line(depth, "boundary");
      continue;
    }
    if (statement.kind != Statement::kIf) {
      Line(depth, std::to_string(statement.number) + ": " + rule_.params.at(statement.target).name +
                      " " + std::string(Spelling(statement.saver)) + " " +
                      (statement.is_call() ? Call(statement) : exprs_.Print(statement.value)) +
                      Tensors("apart from", statement.apart) + FittingText(statement.fitting) +
                      Tensors("flattened", statement.flattened) + Counting(statement) +
                      Remark(statement.text));
      continue;
    }
    Line(depth, "if " + exprs_.Print(statement.condition) + Remark(statement.text));
    Body(statement.then_body, depth + 1);
    if (statement.else_body.empty()) continue;
    Line(depth, "else");
    Body(statement.else_body, depth + 1);
  }
}

/// " apart from a, b"; "" without any.
std::string Writer::Tensors(const char *what, const std::vector<int> &tensors) const {
  std::string text;
  for (const int tensor : tensors) {
    text += (text.empty() ? " " + std::string(what) + " " : ", ") + rule_.params.at(tensor).name;
  }
  return text;
}

/// ` counting x by "range" instead "range<float>(0, out.size(1))"`.
std::string Writer::Counting(const Statement &statement) const {
  std::string text;
  for (const CountedExtent &extent : statement.counts) {
    text += (text.empty() ? " counting " : ", ") + rule_.params.at(extent.tensor).name + " by " +
            Quoted(extent.name) + " instead " + Quoted(extent.instead);
  }
  return text;
}

/// " fitting e, size(like)".
std::string Writer::FittingText(const std::vector<Expr> &fitting) {
  std::string text;
  for (const Expr &e : fitting) text += (text.empty() ? " fitting " : ", ") + exprs_.Print(e);
  return text;
}

/// "top(x)", "sort(x) ascending columns to at", "columns of sort(x)".
std::string Writer::Sorted(const Statement &statement) const {
  const Sort &sort = statement.sort;
  const bool has_elements = sort.columns != statement.target;
  return (has_elements ? "" : "columns of ") + std::string(sort.takes_all ? "sort(" : "top(") +
         rule_.params.at(statement.left.tensor).name + ")" + (sort.ascends ? " ascending" : "") +
         (has_elements && sort.columns >= 0 ? " columns to " + rule_.params.at(sort.columns).name
                                            : "");
}

/// "dot(x, transposed w) scaled 2.0f32", "scatter(indices, x)", "scatter(indices, x) modulo rows".
std::string Writer::Call(const Statement &statement) {
  if (statement.kind == Statement::kSort) return Sorted(statement);
  const auto factor = [this](const Factor &f) {
    return (f.transposed ? "transposed " : "") + rule_.params.at(f.tensor).name;
  };
  const std::string of = "(" + factor(statement.left) + ", " + factor(statement.right) + ")";
  if (statement.kind == Statement::kScatter) {
    return "scatter" + of + (statement.clips ? "" : " modulo rows");
  }
  return "dot" + of + " scaled " + exprs_.Print(statement.value);
}

void Writer::Stages() {
  for (const Stage &stage : rule_.stages) {
    Line(1, "stage");
    Body(stage.body, 2);
  }
}

std::string Writer::GuardText(const Plan &plan, const Guard &guard) const {
  if (guard.always()) return "always";
  std::string list;
  for (const std::vector<Guard::Literal> &term : guard.terms) {
    if (!list.empty()) list += " or ";
    for (size_t i = 0; i < term.size(); ++i) {
      if (i > 0) list += " and ";
      list += (term[i].negated ? "not " : "") + plan.conditions.at(term[i].condition).name;
    }
  }
  return list;
}

/// `in.Flip(0)`, `Joined(0, a, b.Slice(-1, 0i64, dim(b, last)))`.
std::string Writer::MovedText(const IndexedRead::Moved &moved) {
  if (moved.tensor >= 0) return rule_.params.at(static_cast<size_t>(moved.tensor)).name;
  std::vector<std::string> args;
  for (const int dim : moved.dims) args.push_back(std::to_string(dim));
  for (const Affine &number : moved.numbers) args.push_back(exprs_.Print(number.ToExpr()));
  if (moved.shape >= 0) {
    args.push_back("shape of " + rule_.params.at(static_cast<size_t>(moved.shape)).name);
  }
  std::string text = MovedText(moved.of.front()) + "." + moved.move + "(";
  if (moved.of.size() == 2) {
    text = moved.move + "(";
    for (const IndexedRead::Moved &source : moved.of) args.push_back(MovedText(source));
  }
  for (size_t i = 0; i < args.size(); ++i) text += (i > 0 ? ", " : "") + args[i];
  return text + ")";
}

std::string Writer::ReadText(const IndexedRead &read) {
  const auto number = [this](const Affine &sum) { return exprs_.Print(sum.ToExpr()); };
  std::string text;
  const auto name = [this](int tensor) {
    return rule_.params.at(static_cast<size_t>(tensor)).name;
  };
  if (read.computed) return ViewText(*read.computed, rule_, &exprs_);
  if (read.moved) return MovedText(*read.moved);
  const char *const between = read.holding ? ", " : " else ";
  for (const IndexedRead::Source &source : read.sources) {
    const std::string of =
        source.tensor < 0 ? "(" + ReadText(source.inner.front()) + ")" : name(source.tensor);
    text += (text.empty() ? "" : between) + of + "[";
    for (size_t d = 0; d < source.indices.size(); ++d) {
      text += (d > 0 ? ", " : "") + number(source.indices[d]);
    }
    text += "]";
    for (const IndexedRead::Bound &bound : source.bounds) {
      text += (bound.leaves_out ? " only within " : " within ") + number(bound.index) + " of " +
              number(bound.extent);
    }
    if (source.rows_by >= 0) text += " where axis(0) is " + name(source.rows_by) + "[axis(0)]";
  }
  if (!read.reducer.empty()) {
    const size_t height = read.extents.size() - 2;
    text += " windows of " + number(read.extents[height]) + " x " +
            number(read.extents[height + 1]) + (read.squares ? " of squares" : "") + " by " +
            read.reducer;
  }
  if (read.holding) {
    const auto windows = [&](const IndexedRead::Windows &along) {
      return number(along.count) + " of " + number(along.size) +
             (along.dilation == 1 ? "" : " by " + number(along.dilation)) + " each " +
             number(along.stride) + " at " + number(along.place);
    };
    text += " held by " + windows(read.holding->rows) + " x " + windows(read.holding->columns) +
            (read.holding->is_gradient() ? " by " + read.holding->reducer : "");
  }
  if (!read.is_counted) return text;
  text += " counted over ";
  for (size_t a = 0; a < read.extents.size(); ++a) {
    text += (a > 0 ? ", " : "") + number(read.extents[a]);
  }
  return text + (read.times > 1 ? " times " + std::to_string(read.times) : "");
}

/// "leaves of the next kernel where out, grad; out, weight are apart".
std::string Writer::LeavesText(const Leaves &leaves) const {
  std::string pairs;
  for (const auto &[a, b] : leaves.apart) {
    pairs += (pairs.empty() ? " where " : "; ") + rule_.params.at(a).name + ", " +
             rule_.params.at(b).name;
  }
  return std::string("leaves of the ") + (leaves.of_next ? "next" : "previous") + " kernel" +
         pairs + (pairs.empty() ? "" : " are apart");
}

void Writer::Operands(const Plan &plan) {
  for (const Operand &operand : plan.operands) {
    std::string line = "operand " + operand.name + ": " + exprs_.TypeName(operand.type);
    if (!operand.axes.is_every()) line += " " + std::string(IrName(operand.axes));
    if (operand.load) line += " load";
    if (!operand.store.never()) line += " store " + GuardText(plan, operand.store);
    if (!operand.used.always()) line += " used " + GuardText(plan, operand.used);
    if (operand.is_temporary) line += " temporary";
    if (operand.read) line += " at " + ReadText(*operand.read);
    Line(1, line);
  }
  for (const HostScalar &scalar : plan.scalars) {
    Line(1, "scalar " + scalar.name + ": " + exprs_.TypeName(scalar.type) + " = " +
                exprs_.Print(scalar.value));
  }
  for (const Condition &condition : plan.conditions) {
    Line(1, "condition " + condition.name + " = " + exprs_.Print(condition.value));
  }
  if (!plan.runs.never() && !plan.runs.always()) {
    Line(1, "runs " + GuardText(plan, plan.runs));
  }
  for (const Reduction &reduction : plan.reductions) {
    const Axes axes = reduction.is_leaf() ? Axes::Rows() : plan.kept.Others();
    Line(1, "reduction " + reduction.name + ": " + exprs_.TypeName(reduction.type) + " " +
                std::string(IrName(reduction.op)) + " over " + axes.text() + " by " +
                std::string(IrName(reduction.order)) +
                (reduction.is_leaf() ? ", leaves only" : ""));
  }
  if (plan.leaves) Line(1, LeavesText(*plan.leaves));
  if (plan.takes_leaves) Line(1, "takes leaves");
  for (const AliasRule &alias : plan.aliases) {
    Line(1, "alias " + rule_.params.at(alias.written).name + " " +
                rule_.params.at(alias.other).name + (alias.same_allowed ? " same" : " never"));
  }
  if (!plan.fitting.empty()) {
    std::vector<Expr> tensors;
    for (const Fitting &fits : plan.fitting) tensors.push_back(fits.tensor);
    Line(1, FittingText(tensors).substr(1));
  }
  for (const SameShape &same : plan.same_shapes) {
    const bool is_shape = same.axes.is_every();
    const std::string what = is_shape ? "flattened" : "same " + same.axes.text();
    Line(1, Tensors(what.c_str(), same.tensors).substr(1));
  }
  ScheduleLines(plan);
  std::string lanes = "lanes";
  for (Type type : plan.lane_types) lanes += " " + exprs_.TypeName(type);
  if (plan.uses_math) lanes += ", math";
  for (const std::string &call : plan.lanewise_calls) lanes += ", " + call;
  Line(1, lanes);
  Line(1, "bytes " + std::to_string(plan.bytes) + ", unfused " +
              std::to_string(plan.unfused_bytes) + " in " + std::to_string(plan.unfused_passes) +
              (plan.unfused_passes == 1 ? " pass" : " passes"));
}

/// `cpu copy, short packets, non-temporal out`, `gpu 256 threads, 16 lanes, 2 vectors, 32 waves`
/// and `loop all: threads packets`, if the plan has been scheduled.
void Writer::ScheduleLines(const Plan &plan) {
  const Schedule &schedule = plan.schedule;
  if (schedule.threads == 0) return;
  std::string cpu = "cpu " + std::string(IrName(schedule.isa));
  if (schedule.waits_for_divider) cpu += ", waits for the divider";
  if (schedule.has_short_packets) cpu += ", short packets";
  if (schedule.short_rows > 0) cpu += ", rows of " + std::to_string(schedule.short_rows);
  if (schedule.joins_rows) cpu += ", joined rows";
  for (const int operand : schedule.tiled) {
    cpu += (operand == schedule.tiled.front() ? ", tiles of " : " and ") +
           plan.operands.at(operand).name;
  }
  if (!schedule.tiled.empty()) cpu += " along " + std::to_string(schedule.tiled_along);
  if (schedule.joins_tiled) cpu += ", joined";
  if (schedule.collected > 0) cpu += ", collected rows";
  if (schedule.scattered >= 0) cpu += ", zeros before " + plan.operands.at(schedule.scattered).name;
  if (schedule.non_temporal >= 0) {
    cpu += ", non-temporal " + plan.operands.at(schedule.non_temporal).name;
  }
  Line(1, cpu);
  Line(1, "gpu " + std::to_string(schedule.threads) + " threads, " +
              std::to_string(schedule.lanes) + " lanes, " + std::to_string(schedule.vectors) +
              (schedule.vectors == 1 ? " vector, " : " vectors, ") +
              std::to_string(schedule.waves) + " waves");
  constexpr std::pair<Loop::How, const char *> kWords[] = {{Loop::kThreads, " threads"},
                                                           {Loop::kChunks, " chunks"},
                                                           {Loop::kPackets, " packets"},
                                                           {Loop::kSeveral, " several"},
                                                           {Loop::kInOrder, " in order"}};
  for (const Loop &loop : schedule.loops) {
    std::string line = "loop " + loop.axes.text() + ":";
    for (const auto &[how, word] : kWords) line += loop.has(how) ? word : "";
    Line(1, line);
  }
}

/// " by four rows in runs", " prefetch in next, gain" and " divisors total" of a sweep.
std::string Writer::PhaseSchedule(const Plan &plan, const Phase &phase) const {
  std::string text = phase.takes_four_rows ? " by four rows" : "";
  if (!phase.runs_of.empty()) text += " in runs";
  for (const Prefetch &prefetch : phase.prefetches) {
    text += (&prefetch == &phase.prefetches.front() ? " prefetch " : ", ") +
            plan.operands.at(prefetch.operand).name + (prefetch.next ? " next" : "");
  }
  if (!phase.divisors.empty()) text += " divisors";
  for (const int divisor : phase.divisors) text += " " + plan.operands.at(divisor).name;
  return text;
}

void Writer::Steps(const Plan &plan, const std::vector<Step> &steps, int depth) {
  for (const Step &step : steps) {
    if (step.kind == Step::kLet) {
      Line(depth, "let " + step.name + " = " + exprs_.Print(step.value));
    } else if (step.kind == Step::kAssign) {
      Line(depth, (step.again ? "again " : "") + std::to_string(step.statement) + ": " +
                      plan.operands.at(step.operand).name + " = " + exprs_.Print(step.value));
    } else if (step.kind == Step::kReduce) {
      Line(depth, std::to_string(step.statement) + ": reduce " +
                      plan.reductions.at(step.reduction).name + ", " + exprs_.Print(step.value));
    } else {
      Line(depth, "if " + plan.conditions.at(step.condition).name);
      Steps(plan, step.then_steps, depth + 1);
      if (step.else_steps.empty()) continue;
      Line(depth, "else");
      Steps(plan, step.else_steps, depth + 1);
    }
  }
}

void Writer::Phases(const Plan &plan) {
  for (const Phase &phase : plan.phases) {
    std::string line = phase.is_sweep ? "sweep" : "once";
    for (const Phase::Use &use : phase.operands) {
      line += " " + plan.operands.at(use.index).name + (use.load ? " load" : "");
      if (!use.store.never()) line += " store " + GuardText(plan, use.store);
    }
    Line(1, line + PhaseSchedule(plan, phase));
    Steps(plan, phase.steps, 2);
  }
}

}  // namespace

std::string Print(const Rule &rule) {
  Writer writer(rule, PrinterFor(rule));
  writer.Signature();
  writer.Prologue();
  writer.Stages();
  return std::move(writer.text);
}

std::string Print(const Plan &plan) {
  std::string text;
  for (const PlanStage &stage : plan.stages) {
    if (!stage.call) text += Print(stage.kernel[0]);
  }
  if (plan.is_staged()) return text + Print(plan.rule);
  Writer writer(plan.rule, PrinterFor(plan));
  writer.Signature();
  writer.Prologue();
  writer.Operands(plan);
  if (!plan.kept.is_every()) {
    writer.Phases(plan);
  } else {
    writer.text += "  steps\n";
    writer.Steps(plan, plan.steps, 2);
  }
  return std::move(writer.text);
}

std::string Print(const Expr &expr, const Rule &rule) { return PrinterFor(rule).Print(expr); }
std::string Print(const Expr &expr, const Plan &plan) { return PrinterFor(plan).Print(expr); }

std::string Print(const View &view, const Rule &rule) {
  ExprPrinter exprs = PrinterFor(rule);
  return ViewText(view, rule, &exprs);
}

std::string Print(Type type, const Rule &rule) { return PrinterFor(rule).TypeName(type); }

}  // namespace mgen
