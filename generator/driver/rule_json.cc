// SPDX-License-Identifier: Apache-2.0
#include "driver/rule_json.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "backends/cuda/tuning.h"
#include "driver/kernel_costs.h"
#include "emit/cpp_expr.h"
#include "emit/names.h"
#include "ir/printer.h"
#include "ir/walk.h"

namespace mgen {
namespace {

constexpr int kOneLine = 1 << 20;  // columns

/// A number of the given kind: 0.001 for a float that is nearest to it, not 0.0010000000474974513.
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
    bool read = false, written = false;
    for (const Operand &operand : plan.operands) {
      if (operand.param != index) continue;
      read = read || operand.load;
      written = written || !operand.store.never();
    }
    json["read"] = read;
    json["written"] = written;
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
    if (statement.kind != Statement::kAssign) return;
    statements.push_back({{"number", statement.number},
                          {"line", statement.location.line},
                          {"text", statement.text}});
  });
  return statements;
}

/// A host expression as one writes it; a prologue's variable as what it stands for.
std::string HostText(const Expr &expr, const Rule &rule) {
  ExprStyle style;
  style.target = ExprStyle::kPeople;
  style.type_name = [&](Type type) { return Print(type, rule); };
  style.leaf = [&](const Node &node) {
    if (node.op == Op::kLocal) return rule.prologue[node.index].name;
    const std::string &name = rule.params[node.index].name;
    if (node.op != Op::kDim) return name;
    return name + (node.dim < 0 ? ".Size()" : ".size(" + std::to_string(node.dim) + ")");
  };
  const bool is_local = expr->op == Op::kLocal;
  return RenderExpr("", is_local ? rule.prologue[expr->index].value : expr, "", style, kOneLine);
}

const char *Name(IndexMap map) {
  switch (map) {
    case IndexMap::kIdentity:
      return "identity";
    case IndexMap::kRow:
      return "row";
    case IndexMap::kColumn:
      return "column";
    case IndexMap::kOne:
      return "one";
    case IndexMap::kGather:
      return "gather";
  }
  return "";
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
                        {"map", Name(operand.map)},
                        {"load", operand.load},
                        {"store", store}});
  }
  return operands;
}

Json TemporariesJson(const Plan &plan) {
  Json temporaries = Json::array();
  for (const Operand &operand : plan.operands) {
    if (!operand.is_temporary || operand.by >= 0) continue;
    temporaries.push_back({{"name", operand.name},
                           {"type", Print(operand.type, plan.rule)},
                           {"map", Name(operand.map)}});
  }
  return temporaries;
}

/// The line of a statement; 0 if there is none.
int LineOf(const Rule &rule, int statement) {
  int line = 0;
  ForEachStatement(rule, [&](const Statement &s) {
    if (s.kind == Statement::kAssign && s.number == statement) line = s.location.line;
  });
  return line;
}

Json PartsJson(const Plan &plan) {
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

/// How a launch is cut up, on the CPU and on a GPU.
Json LaunchJson(const Plan &plan) {
  const char *const split = plan.is_row_wise()       ? "rows"
                            : plan.reduces_columns() ? "rows, in parts"
                            : plan.reduces_all()     ? "parts"
                                                     : "elements";
  Json lanes = {
      {"baseline", LanesOf(plan, 16)}, {"avx2", LanesOf(plan, 32)}, {"avx512", LanesOf(plan, 64)}};
  Json gpu = {{"threads_per_block", TuningOf(plan).threads}};
  if (!plan.has_phases()) {
    gpu["vector"] = std::min(TuningOf(plan).lanes, LanesOf(plan, 16));
    gpu["vectors_in_flight"] = TuningOf(plan).vectors;
  }
  return {{"split", split}, {"lanes", lanes}, {"gpu", gpu}};
}

}  // namespace

Json RuleJson(const Plan &plan) {
  const Rule &rule = plan.rule;
  Json json = {{"name", rule.name},
               {"namespace", Join(rule.namespaces, "::")},
               {"spec", rule.spec},
               {"doc", Join(rule.doc, "\n")},
               {"type_params", rule.type_params()},
               {"instances", InstancesJson(rule)}};
  json["params"] = Json::array();
  for (size_t i = 0; i < rule.signature().size(); ++i) {
    json["params"].push_back(ParamJson(plan, static_cast<int>(i)));
  }
  return json;
}

Json KernelJson(const Plan &plan) {
  const Rule &rule = plan.rule;
  Json stages = Json::array();
  for (const Stage &stage : rule.stages) {
    stages.push_back({{"statements", StatementsJson(stage)}});
  }
  Json scalars = Json::array(), conditions = Json::array(), in_place = Json::array();
  for (const HostScalar &scalar : plan.scalars) {
    scalars.push_back({{"name", scalar.name}, {"value", HostText(scalar.value, rule)}});
  }
  for (const Condition &condition : plan.conditions) {
    conditions.push_back({{"name", condition.name}, {"value", HostText(condition.value, rule)}});
  }
  for (const AliasRule &alias : plan.aliases) {
    if (!alias.same_allowed) continue;
    in_place.push_back({rule.params[alias.written].name, rule.params[alias.other].name});
  }
  Json notes = Json::array();
  for (const std::string &function : plan.lanewise_calls) {
    notes.push_back("'" + function + "' is called once per element");
  }
  return {{"name", rule.name},
          {"namespace", Join(rule.namespaces, "::")},
          {"spec", rule.spec},
          {"line", rule.location.line},
          {"instances", InstancesJson(rule)},
          {"stages", stages},
          {"passes", plan.passes()},
          {"unfused_passes", plan.unfused_passes},
          {"bytes_per_element", plan.bytes},
          {"unfused_bytes_per_element", plan.unfused_bytes},
          {"operands", OperandsJson(plan)},
          {"temporaries", TemporariesJson(plan)},
          {"parts", PartsJson(plan)},
          {"workspace_bytes", WorkspaceBytes(plan)},
          {"workspace_per_column",
           {{"bytes_per_part", ColumnWorkspaceOf(plan).bytes_per_part},
            {"bytes", ColumnWorkspaceOf(plan).bytes}}},
          {"launch", LaunchJson(plan)},
          {"sweeps_per_row", plan.is_row_wise() ? plan.sweeps() : 0},
          {"scalars", scalars},
          {"conditions", conditions},
          {"in_place", in_place},
          {"performance", notes}};
}

std::string ToText(const Json &json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mgen
