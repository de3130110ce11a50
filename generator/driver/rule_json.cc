// SPDX-License-Identifier: Apache-2.0
#include "driver/rule_json.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "backends/common/skeleton.h"
#include "driver/kernel_costs.h"
#include "emit/cpp_expr.h"
#include "emit/names.h"
#include "emit/shared_parts.h"
#include "ir/access.h"
#include "ir/printer.h"
#include "ir/view_call.h"
#include "ir/walk.h"
#include "passes/performance.h"

namespace mgen {
namespace {

constexpr int kOneLine = 1 << 20;  // columns

/// A number of the given kind: for the float nearest to 0.001 it is 0.001, not
/// 0.0010000000474974513.
Json NumberJson(const std::variant<int64_t, double, bool> &value, ScalarKind kind) {
  if (const auto *number = std::get_if<double>(&value)) {
    const std::string text = PrintNumber(*number, kind);
    return std::isfinite(*number) ? Json(std::strtod(text.c_str(), nullptr)) : Json(text);
  }
  if (const auto *integer = std::get_if<int64_t>(&value)) return *integer;
  return std::get<bool>(value);
}

Json ParamJson(const Plan &plan, int index) {
  const Param &param = plan.rule.params[index];
  Json json = {{"name", param.name},
               {"kind", param.is_tensor ? "tensor" : "scalar"},
               {"role", IrName(param.role)}};
  if (param.is_tensor) {
    json["rank"] = param.rank == Param::kRankParam ? Json("any") : Json(param.rank);
  }
  json["type"] = Print(param.type, plan.rule);
  if (param.is_tensor) {
    const Access access = AccessOf(plan, index);
    json["read"] = access.read;
    json["written"] = access.written;
  }
  if (param.value) {
    json[param.is_tensor ? "initial" : "default"] = NumberJson(*param.value, param.type.kind);
  }
  json["doc"] = param.doc;
  return json;
}

Json InstancesJson(const Rule &rule) {
  Json instances = Json::array();
  for (const std::vector<ScalarKind> &kinds : rule.instances) {
    Json names = Json::array();
    for (const ScalarKind kind : kinds) names.push_back(IrName(kind));
    instances.push_back(names);
  }
  return instances;
}

Json StatementsJson(const Stage &stage) {
  Json statements = Json::array();
  ForEachStatement(stage.body, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf || statement.is_made) return;
    statements.push_back({{"number", statement.number},
                          {"line", statement.location.line},
                          {"text", statement.text}});
  });
  return statements;
}

/// If passes made all statements of a kernel: the statements of the spec for which they did so.
Json MadeForJson(const Stage &stage) {
  std::set<int> numbers;
  ForEachStatement(stage.body, [&](const Statement &statement) {
    if (statement.is_made) numbers.insert(statement.number);
  });
  return numbers;
}

/// A host expression for people. A variable of the prologue is replaced by its value.
std::string HostText(const Expr &expr, const Rule &rule) {
  ExprStyle style;
  style.target = ExprStyle::kPeople;
  style.type_name = [&](Type type) { return Print(type, rule); };
  style.leaf = [&](const Node &node) {
    if (node.op == Op::kLocal) return rule.prologue[node.index].name;
    const std::string &name = rule.params[node.index].name;
    if (node.op != Op::kDim) return name;
    if (node.dim == Node::kLastDim) return name + ".size(" + RankText(rule.rank_name(), -1) + ")";
    if (node.dim == Node::kRows) return "the rows of " + name;
    if (node.dim >= Node::kFromLast) {
      return name + ".size(" + RankText(rule.rank_name(), Node::kFromLast - node.dim - 1) + ")";
    }
    return name + (node.dim < 0 ? ".Size()" : ".size(" + std::to_string(node.dim) + ")");
  };
  const Expr &value = expr->op == Op::kLocal ? rule.prologue[expr->index].value : expr;
  if (IsLong(value)) return "...";
  return RenderExpr("", value, "", style, kOneLine);
}

std::string Name(const Axes &axes) {
  return axes.is_every() ? "identity" : std::string(IrName(axes));
}

/// A view or a slice as an expression of the arguments: "slice<1>(in, 0, half)".
std::string ViewText(const Plan &plan, const View &view) {
  const std::string text = AsInSpec(view).Fill([&plan](const View::Operand &operand) {
    const bool is_scalar = operand.has_value();
    if (operand.kind == View::Operand::kType) return Print(operand.type, plan.rule);
    if (is_scalar && operand.value->op == Op::kHoisted) {
      return HostText(plan.scalars[operand.value->index].value, plan.rule);
    }
    if (is_scalar) return HostText(operand.value, plan.rule);
    if (operand.kind == View::Operand::kRank)
      return RankText(plan.rule.rank_name(), operand.offset);
    const std::string &name = plan.rule.params[operand.param].name;
    return operand.kind == View::Operand::kShape ? name + ".shape_" : name;
  });
  return WithoutRuntimeNamespaces(text);
}

Json OperandsJson(const Plan &plan) {
  Json operands = Json::array();
  for (const Operand &operand : plan.operands) {
    if (operand.is_temporary && operand.by < 0) continue;
    const char *store = operand.store.never()    ? "never"
                        : operand.store.always() ? "always"
                                                 : "conditional";
    operands.push_back({{"name", operand.name},
                        {"type", Print(operand.type, plan.rule)},
                        {"map", Name(operand.axes)},
                        {"load", operand.load},
                        {"store", store}});
    const std::optional<View> &view = plan.rule.params[operand.param].view;
    if (view) operands.back()["view"] = ViewText(plan, *view);
  }
  return operands;
}

/// The temporaries, also those of stages. Those that stages share have memory.
Json TemporariesJson(const Plan &plan) {
  Json temporaries = Json::array();
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const Operand &operand = plan.operands[i];
    if (!operand.is_temporary || operand.by >= 0) continue;
    temporaries.push_back({{"name", operand.name},
                           {"type", Print(operand.type, plan.rule)},
                           {"map", plan.is_staged()                        ? "memory"
                                   : plan.IsRowBuffer(static_cast<int>(i)) ? "row buffer"
                                                                           : Name(operand.axes)}});
  }
  for (const PlanStage &stage : plan.stages) {
    if (stage.call) continue;
    const Json more = TemporariesJson(stage.kernel[0]);
    temporaries.insert(temporaries.end(), more.begin(), more.end());
  }
  return temporaries;
}

/// The line of a statement; 0 if there is none.
int LineOf(const Rule &rule, int statement) {
  int line = 0;
  ForEachStatement(rule, [&](const Statement &s) {
    if (s.kind != Statement::kIf && s.number == statement) line = s.location.line;
  });
  return line;
}

const char *KindOf(const StageCall &call) {
  if (call.kind == Statement::kSort) return "sort";
  return call.kind == Statement::kScatter ? "scatter" : "product";
}

Json CallJson(const Plan &plan, const StageCall &call) {
  const auto names = [&plan](const std::vector<int> &tensors) {
    Json list = Json::array();
    for (const int tensor : tensors) list.push_back(plan.rule.params[tensor].name);
    return list;
  };
  return {{"kind", KindOf(call)},
          {"statements", {call.statement}},
          {"loads", names(call.sources())},
          {"stores", names(call.targets())},
          {"reduces", Json::array()},
          {"bytes_per_element", BytesOf(plan.rule, call)},
          {"flops", call.kind == Statement::kScatter ? 1 : 0},
          {"functions", Json::object()}};
}

/// The parts of one kernel.
Json KernelPartsJson(const Plan &plan) {
  Json parts = Json::array();
  for (const Part &part : PartsOf(plan)) {
    Json json = {{"kind", part.is_sweep ? "sweep" : "once"},
                 {"statements", part.statements},
                 {"loads", part.loads},
                 {"stores", part.stores},
                 {"reduces", part.reduces},
                 {"bytes_per_element", part.is_sweep ? part.bytes : 0},
                 {"flops", part.work.flops},
                 {"functions", part.work.functions}};
    if (part.boundary) {
      const Boundary &boundary = *part.boundary;
      json["begins_because"] = {{"reads", boundary.value},
                                {"statement", boundary.reads},
                                {"line", LineOf(plan.rule, boundary.reads)},
                                {"given_by", boundary.gives},
                                {"given_at", LineOf(plan.rule, boundary.gives)}};
    }
    parts.push_back(json);
  }
  return parts;
}

Json PartsJson(const Plan &plan) {
  if (!plan.is_staged()) return KernelPartsJson(plan);
  Json parts = Json::array();
  for (size_t i = 0; i < plan.stages.size(); ++i) {
    const PlanStage &stage = plan.stages[i];
    Json more =
        stage.call ? Json::array({CallJson(plan, *stage.call)}) : KernelPartsJson(stage.kernel[0]);
    const bool may_be_left_out = !stage.call && stage.kernel[0].takes_leaves;
    if (may_be_left_out) more[0]["may_be_left_out"] = true;
    for (Json &part : more) {
      part["stage"] = i;
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

/// Which elements of a row a scan combines when, in words.
constexpr char kScanTree[] =
    "leaves of 16 elements, in each of which blocks of 1, 2, 4 and 8 elements become blocks of "
    "twice as many; then the leaves, one after the other";

/// How a launch divides its work, on a CPU and on a GPU.
Json LaunchJson(const Plan &plan) {
  Json lanes = {
      {"baseline", LanesOf(plan, 16)}, {"avx2", LanesOf(plan, 32)}, {"avx512", LanesOf(plan, 64)}};
  Json gpu = {{"threads_per_block", plan.schedule.threads}};
  if (plan.kept.is_every()) {
    gpu["vector"] = std::min(plan.schedule.lanes, LanesOf(plan, 16));
    gpu["vectors_in_flight"] = plan.schedule.vectors;
  }
  const int streamed = plan.schedule.non_temporal;
  Json launch = {{"split", SkeletonOf(plan).split},
                 {"lanes", lanes},
                 {"streamed", streamed < 0 ? Json() : Json(plan.operands[streamed].name)},
                 {"waits_for_divider", plan.schedule.waits_for_divider},
                 {"gpu", gpu}};
  if (plan.schedule.short_rows > 0) launch["short_rows"] = plan.schedule.short_rows;
  for (const int operand : plan.schedule.tiled) {
    launch["tiled"].push_back(plan.operands[operand].name);
  }
  for (const Reduction &reduction : plan.reductions) {
    if (reduction.is_leaf()) launch["leaves"].push_back(reduction.name);
    Json &order = launch["orders"][std::string(IrName(reduction.order))];
    order["tree"] = TreeOf(reduction.order);
    order["reductions"].push_back(reduction.name);
  }
  for (const Phase &phase : plan.phases) {
    ForEachStep(phase.steps, [&launch](const Step &step) {
      if (ClassOf(step.value->op) != OpClass::Scan) return;
      Json &order = launch["orders"]["scan"];
      order["tree"] = kScanTree;
      order["reductions"].push_back(step.name);
    });
  }
  return launch;
}

/// How a kernel is launched, and its workspace.
Json KernelLaunchJson(const Plan &plan) {
  const ColumnWorkspace per_column = ColumnWorkspaceOf(plan);
  return {{"launch", LaunchJson(plan)},
          {"sweeps_per_row", !SkeletonOf(plan).each.empty() ? plan.sweeps() : 0},
          {"workspace_bytes", WorkspaceBytes(plan)},
          {"workspace_per_column",
           {{"bytes_per_part", per_column.bytes_per_part}, {"bytes", per_column.bytes}}}};
}

/// The kind of each stage and, if there are several, how each kernel is launched.
Json StagesJson(const Plan &plan) {
  Json stages = Json::array();
  for (size_t i = 0; i < plan.rule.stages.size(); ++i) {
    Json stage = {{"statements", StatementsJson(plan.rule.stages[i])}};
    const bool is_call = plan.is_staged() && plan.stages[i].call;
    if (stage["statements"].empty()) stage["made_for"] = MadeForJson(plan.rule.stages[i]);
    stage["kind"] = is_call ? KindOf(*plan.stages[i].call) : "kernel";
    if (const auto &apart = plan.rule.stages[i].apart) {
      for (const int part : {apart->first, apart->second}) {
        const Param &param = plan.rule.params[part];
        stage["apart"].push_back(param.view ? ViewText(plan, *param.view) : param.name);
      }
    }
    if (plan.is_staged() && !is_call) stage.update(KernelLaunchJson(plan.stages[i].kernel[0]));
    stages.push_back(stage);
  }
  return stages;
}

/// The values that are computed before the launch: for the rule itself, or for its calls and each
/// kernel.
struct Prologue {
  Json scalars = Json::array(), conditions = Json::array(), in_place = Json::array(),
       notes = Json::array();

  void Add(const Plan &plan) {
    const Rule &rule = plan.rule;
    for (const HostScalar &scalar : plan.scalars) {
      scalars.push_back({{"name", scalar.name}, {"value", HostText(scalar.value, rule)}});
    }
    for (const Condition &condition : plan.conditions) {
      conditions.push_back({{"name", condition.name}, {"value", HostText(condition.value, rule)}});
    }
    for (const AliasRule &alias : plan.aliases) {
      // Another stage may not allow it.
      if (!alias.same_allowed || plan.is_stage()) continue;
      in_place.push_back({rule.params[alias.written].name, rule.params[alias.other].name});
    }
    for (const std::string &function : plan.lanewise_calls) {
      notes.push_back("'" + function + "' is called once per element, not vectorised");
    }
    for (const SlowPart &part : SlowPartsOf(plan)) {
      notes.push_back(TextOf(part.id, {part.what}) + " (line " +
                      std::to_string(part.location.line) + "); such a part took " +
                      std::string(SlowdownBy(part.id)) + " times as long in a measurement");
    }
    for (const PlanStage &stage : plan.stages) {
      if (!stage.call) Add(stage.kernel[0]);
    }
  }
};

}  // namespace

Json RuleJson(const Plan &plan) {
  const Rule &rule = plan.rule;
  Json json = {{"name", rule.name},
               {"namespace", Join(rule.namespaces, "::")},
               {"spec", rule.spec},
               {"doc", Join(rule.doc, "\n")},
               {"type_params", rule.type_params()},
               {"instances", InstancesJson(rule)}};
  if (!rule.overloads.empty()) json["overloads"] = rule.overloads;
  if (rule.is_expression) json["expression"] = true;
  json["params"] = Json::array();
  for (size_t i = 0; i < rule.signature().size(); ++i) {
    json["params"].push_back(ParamJson(plan, static_cast<int>(i)));
  }
  return json;
}

Json KernelJson(const Plan &plan) {
  const Rule &rule = plan.rule;
  Prologue prologue;
  prologue.Add(plan);
  Json json = {{"name", rule.name},
               {"namespace", Join(rule.namespaces, "::")},
               {"spec", rule.spec},
               {"line", rule.location.line},
               {"instances", InstancesJson(rule)},
               {"stages", StagesJson(plan)},
               {"passes", plan.passes()},
               {"unfused_passes", plan.unfused_passes},
               {"bytes_per_element", plan.bytes},
               {"unfused_bytes_per_element", plan.unfused_bytes},
               {"operands", OperandsJson(plan)},
               {"temporaries", TemporariesJson(plan)},
               {"parts", PartsJson(plan)},
               {"scalars", prologue.scalars},
               {"conditions", prologue.conditions},
               {"in_place", prologue.in_place},
               {"performance", prologue.notes}};
  if (!plan.is_staged()) json.update(KernelLaunchJson(plan));
  return json;
}

std::string TextOf(const Json &value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string ToText(const Json &json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mgen
