// SPDX-License-Identifier: Apache-2.0
#include "backends/common/plan_text.h"

#include <algorithm>
#include <cmath>

#include "backends/common/skeleton.h"
#include "emit/names.h"
#include "emit/output_file.h"
#include "emit/rule_mark.h"
#include "ir/emitted_types.h"
#include "ir/walk.h"

namespace mgen {
namespace {

void ForEachValue(const std::vector<Step> &steps, const std::function<void(const Expr &)> &visit) {
  for (const Step &step : steps) {
    if (step.value != nullptr) visit(step.value);
    ForEachValue(step.then_steps, visit);
    ForEachValue(step.else_steps, visit);
  }
}

std::string TypeList(const std::vector<std::string> &types) {
  return types.size() == 1 ? types[0] : "mshadow::Types<" + Join(types, ", ") + ">";
}

std::string TextOf(const Guard &guard, const std::string &prefix,
                   const std::vector<std::string> &names) {
  std::vector<std::string> terms;
  for (const auto &term : guard.terms) {
    std::vector<std::string> literals;
    for (const Guard::Literal &literal : term) {
      literals.push_back((literal.negated ? "!" : "") + prefix + names[literal.condition]);
    }
    const bool nested = guard.terms.size() > 1 && literals.size() > 1;
    terms.push_back(nested ? "(" + Join(literals, " && ") + ")" : Join(literals, " && "));
  }
  return Join(terms, " || ");
}

}  // namespace

PlanText::PlanText(const Plan &plan, const std::vector<std::string> &wrap, bool alone,
                   Numerics numerics)
    : plan_(plan), alone_(alone), numerics_(numerics) {
  CheckIdentifier(plan.rule.name, "rule");
  spec_path_ = wrap;
  for (const std::string &name : plan.rule.namespaces) spec_path_.push_back(name);
  for (const std::string &name : spec_path_) CheckIdentifier(name, "namespace");
  NameTypes();
  NameHost();
  NameScalars();
  NameKernel();
  if (numerics_ != Numerics::kFast) return;
  ForEachValue([this](const Expr &value) { divides_ = divides_ || HasFastDiv(value); });
}

PlanText PlanText::InRegion() const {
  PlanText text = *this;
  text.promoted_ = "Promoted";
  return text;
}

void PlanText::ForEachValue(const std::function<void(const Expr &)> &visit) const {
  mgen::ForEachValue(plan_.steps, visit);
  for (const Phase &phase : plan_.phases) mgen::ForEachValue(phase.steps, visit);
  for (const int i : plan_.OwnReducers()) {
    const Reducer &own = plan_.rule.reducers[i];
    visit(own.initial);
    visit(own.reduce);
    if (own.merge != own.reduce) visit(own.merge);
  }
}

int PlanText::Approximations() const {
  int count = 0;
  if (numerics_ != Numerics::kFast) return count;
  ForEachValue([&](const Expr &value) { count += CountApproximations(value, divides_); });
  return count;
}

namespace {

void TakeTypeNames(Scope *scope) {
  for (const std::string_view name : kEmittedTypes) scope->Take(std::string(name));
}

bool EndsWith(const std::string &name, std::string_view end) {
  return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

std::string WithUnderscore(const std::string &name) {
  return name.back() == '_' ? name : name + "_";
}

/// The name of a type parameter. Most end in Type or _t. Of the names that emitted code adds, only
/// those of TakeTypeNames do.
std::string TypeParamName(const std::string &name) {
  return EndsWith(name, "Type") || EndsWith(name, "_t") ? name : WithUnderscore(name);
}

/// The name of a variable. It must not look like a function or type of emitted code, such as "Exp",
/// or like a constant, such as "kBytes".
std::string VariableName(const std::string &name) {
  const auto is_upper = [&](size_t i) { return name[i] >= 'A' && name[i] <= 'Z'; };
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool is_camel = is_upper(0) && std::any_of(name.begin(), name.end(), is_lower);
  const bool is_constant = name.size() > 1 && name[0] == 'k' && is_upper(1);
  return is_camel || is_constant ? WithUnderscore(name) : name;
}

}  // namespace

void PlanText::NameTypes() {
  Scope scope({"mshadow"});
  TakeTypeNames(&scope);
  for (const TemplateParam &param : plan_.rule.template_params) {
    CheckIdentifier(param.name, "template parameter");
    if (param.kind == TemplateParam::kElementType) {
      type_params_.push_back(scope.Take(TypeParamName(param.name)));
    } else {
      (param.kind == TemplateParam::kDevice ? device_ : rank_) =
          scope.Take(VariableName(param.name));
    }
  }
}

void PlanText::NameHost() {
  Scope scope(
      {"device", "args", "check", "shape", "plan", "s", "mshadow", "stream", "channels", "xpu"});
  TakeTypeNames(&scope);
  for (const std::string &name : type_params_) scope.Take(name);
  if (device_ != "mshadow::cpu") scope.Take(device_);
  scope.Take(rank_);
  for (const Param &param : plan_.rule.params) {
    param_names_.push_back(scope.Take(VariableName(CheckIdentifier(param.name, "parameter"))));
  }
  for (const Local &local : plan_.rule.prologue) {
    local_names_.push_back(scope.Take(VariableName(CheckIdentifier(local.name, "local"))));
  }
}

void PlanText::NameScalars() {
  Scope members;
  for (const HostScalar &scalar : plan_.scalars) {
    scalar_names_.push_back(members.Take(CheckIdentifier(scalar.name, "scalar")));
  }
  for (const Condition &condition : plan_.conditions) {
    condition_members_.push_back(members.Take(CheckIdentifier(condition.name, "condition")));
  }
}

namespace {

/// The values by which sweeps divide.
std::set<int> DivisorsOf(const Plan &plan) {
  std::set<int> divisors;
  for (const Phase &phase : plan.phases) {
    divisors.insert(phase.divisors.begin(), phase.divisors.end());
  }
  return divisors;
}

/// Takes the names of variables and constants that the kernel's text adds.
void TakeKernelNames(const Plan &plan, Scope *scope) {
  const auto take = [scope](std::initializer_list<const char *> names) {
    for (const char *name : names) scope->Take(name);
  };
  if (plan.is_staged()) return;
  for (const std::string &name : SkeletonOf(plan).names) scope->Take(name);
  if (plan.has_row_buffers()) take({"kBuffered"});
  if (plan.leaves) take({"kHasLeaves"});
  if (plan.schedule.non_temporal >= 0) take({"streams", "whole"});
}

}  // namespace

void PlanText::NameKernel() {
  Scope scope({"s", "N", "lanes", "plan", "context", "begin", "end", "row", "i", "column",
               "mshadow", "rows", "cols", "scalars", "V", "at"});
  TakeTypeNames(&scope);
  TakeKernelNames(plan_, &scope);
  for (const std::string &name : type_params_) scope.Take(name);
  for (const Condition &condition : plan_.conditions) {
    condition_params_.push_back(scope.Take("k" + CamelCase(condition.name)));
  }
  for (const Operand &operand : plan_.operands) {
    operand_names_.push_back(scope.Take(VariableName(CheckIdentifier(operand.name, "operand"))));
  }
  for (const int divisor : divides_exactly() ? DivisorsOf(plan_) : std::set<int>()) {
    divisor_names_[divisor] = scope.Take(MadeName(operand_names_[divisor] + "_divisor"));
  }
  for (const Reduction &reduction : plan_.reductions) {
    reduction_names_.push_back(
        scope.Take(VariableName(CheckIdentifier(reduction.name, "reduction"))));
  }
  NameLets(plan_.steps, &scope);
  for (const Phase &phase : plan_.phases) NameLets(phase.steps, &scope);
  NameRows(&scope);
}

void PlanText::NameRows(Scope *scope) {
  for (const std::string &name : operand_names_) {
    row_names_.push_back(scope->Take(MadeName(name + "_row")));
    next_names_.push_back(scope->Take(MadeName(name + "_next")));
  }
  for (const std::string &name : reduction_names_) {
    lanes_names_.push_back(scope->Take(MadeName(name + "_lanes")));
    result_names_.push_back(scope->Take(MadeName(name + "_result")));
  }
  for (size_t i = 0; i < reduction_names_.size(); ++i) {
    if (!plan_.reductions[i].is_leaf()) continue;
    leaf_row_names_[static_cast<int>(i)] = scope->Take(MadeName(reduction_names_[i] + "_row"));
  }
}

void PlanText::NameLets(const std::vector<Step> &steps, Scope *scope) {
  for (const Step &step : steps) {
    if (step.kind == Step::kLet) {
      let_names_[step.let] = scope->Take(VariableName(CheckIdentifier(step.name, "value")));
      if (ClassOf(step.value->op) == OpClass::Scan) {
        scan_names_[step.let] = scope->Take(MadeName(let_names_[step.let] + "_so_far"));
      }
    }
    NameLets(step.then_steps, scope);
    NameLets(step.else_steps, scope);
  }
}

std::vector<int> PlanText::Tensors() const {
  std::vector<int> tensors;
  for (size_t i = 0; i < plan_.operands.size(); ++i) {
    if (!plan_.operands[i].is_temporary) tensors.push_back(static_cast<int>(i));
  }
  return tensors;
}

NamespacePath PlanText::fused_path() const {
  NamespacePath path = spec_path_;
  path.push_back(kFusedNamespace);
  return path;
}

Type CallerType(const Param &param) {
  const bool widens =
      param.is_checked && param.passing != Param::kByRef && param.type == Type{ScalarKind::kInt32};
  return widens ? Type{ScalarKind::kInt64} : param.type;
}

NamespacePath PlanText::mode_path() const {
  NamespacePath path = spec_path_;
  path.push_back(kModeNamespace);
  return path;
}

std::string PlanText::ColumnsField() const { return SkeletonOf(plan_).cols; }

std::string PlanText::Global(const std::string &name) const {
  const std::string path = Qualified(spec_path_);
  return "::" + (path.empty() ? name : path + "::" + name);
}

std::string PlanText::Function(const std::string &suffix) const {
  return (alone_ ? "" : MadeName(Join(spec_path_, "_") + "_")) + rule() + suffix;
}

std::string PlanText::TypeName(Type type) const {
  if (!type.symbolic()) return std::string(CppName(type.kind));
  const std::string &param = type_params_[type.param];
  return type.promoted ? promoted_ + "<" + param + ">" : param;
}

std::string PlanText::TypeName(Type type, const Instance &instance) const {
  return std::string(CppName(KindIn(type, instance)));
}

std::string PlanText::PacketType(Type type) const {
  if (type.symbolic()) {
    const auto is_bool = [&](const Instance &i) { return KindIn(type, i) == ScalarKind::kBool; };
    const auto &instances = plan_.rule.instances;
    if (std::any_of(instances.begin(), instances.end(), is_bool)) {
      return "decltype(Broadcast<N>(" + TypeName(type) + "()))";
    }
  } else if (type.kind == ScalarKind::kBool) {
    return "Mask<1, N>";
  }
  return "Vec<" + TypeName(type) + ", N>";
}

std::vector<std::string> PlanText::TypenameParams() const {
  std::vector<std::string> params;
  for (const std::string &name : type_params_) params.push_back("typename " + name);
  return params;
}

std::string PlanText::PlanTypes() const { return TypeList(type_params_); }

std::string PlanText::PlanTypes(const Instance &instance) const {
  std::vector<std::string> types;
  for (ScalarKind kind : instance) types.emplace_back(CppName(kind));
  return TypeList(types);
}

std::string PlanText::PlanType() const {
  return "mshadow::expr::Plan<" + RuleType() + ", " + PlanTypes() + ">";
}

std::string PlanText::PlanType(const Instance &instance) const {
  return "mshadow::expr::Plan<" + RuleType() + ", " + PlanTypes(instance) + ">";
}

std::vector<PlanText::Instance> PlanText::Instances() const {
  if (type_params_.empty()) return {{}};
  return plan_.rule.instances;
}

std::string PlanText::LaunchKernelSignature() const {
  return RenderList("void Launch" + rule() + "Kernel(",
                    {"const " + PlanType() + " &plan", "void *stream"}, ")", kLineWidth - 2);
}

bool PlanText::scalars_depend_on_types() const {
  // A comparison is bool, but depends on the types of its operands.
  bool depend = false;
  const auto look = [&depend](const Expr &value) {
    ForEachNode(value, [&](const Expr &node) { depend |= node->type.symbolic(); });
  };
  for (const HostScalar &scalar : plan_.scalars) look(scalar.value);
  for (const Condition &condition : plan_.conditions) look(condition.value);
  return depend;
}

bool PlanText::steps_use_scalars() const {
  bool use = false;
  const auto look = [&use](const Step &step) {
    ForEachNode(step.value, [&use](const Expr &node) { use = use || node->op == Op::kHoisted; });
  };
  ForEachStep(plan_.steps, look);
  for (const Phase &phase : plan_.phases) ForEachStep(phase.steps, look);
  return use;
}

std::string PlanText::ScalarsType() const {
  return Ref(rule() + "Scalars") + (scalars_depend_on_types() ? TemplateArgs(type_params_) : "");
}

std::vector<std::string> PlanText::ConditionParams() const {
  std::vector<std::string> params;
  for (const std::string &name : condition_params_) params.push_back("bool " + name);
  return params;
}

std::vector<std::string> PlanText::VariantParams() const {
  std::vector<std::string> params = ConditionParams();
  if (plan_.has_row_buffers()) params.push_back("bool kBuffered");
  if (plan_.leaves) params.push_back("bool kHasLeaves");
  return params;
}

std::string PlanText::GuardText(const Guard &guard) const {
  return TextOf(guard, "", condition_params_);
}

std::string PlanText::HostGuardText(const Guard &guard, const std::string &scalars) const {
  return TextOf(guard, scalars + ".", condition_members_);
}

bool PlanText::NeedsMathHeader() const {
  bool needs = !plan_.lanewise_calls.empty();
  PostOrder order;
  const auto look = [&](const Expr &expr) {
    order.Walk(expr, [&](const Expr &node) {
      const double *number = std::get_if<double>(&node->value);
      const bool is_literal = node->op == Op::kLiteral && number != nullptr;
      needs = needs || node->op == Op::kCall || (is_literal && !std::isfinite(*number));
    });
  };
  for (const HostScalar &scalar : plan_.scalars) look(scalar.value);
  for (const Condition &condition : plan_.conditions) look(condition.value);
  for (const Local &local : plan_.rule.prologue) look(local.value);
  ForEachValue(look);
  for (const Param &param : plan_.rule.params) {
    const double *number = param.value ? std::get_if<double>(&*param.value) : nullptr;
    needs = needs || (number != nullptr && !std::isfinite(*number));
  }
  return needs;
}

ExprStyle PlanText::PacketStyle() const {
  const auto leaf = [this](const Node &node) -> std::string {
    switch (node.op) {
      case Op::kRead:
        return operand_names_.at(plan_.FindOperand(node));
      case Op::kOperand:
        return node.index == 0 ? "a" : "b";
      case Op::kIndex:
        if (node.dim < 0 && plan_.kept.has_several_rows()) {
          return "Number<" + TypeName(node.type) + ", N>(at)";
        }
        return plan_.CountsRows(node) ? "Row<" + TypeName(node.type) + ">(at)"
                                      : "Column<" + TypeName(node.type) + ", N>(at)";
      case Op::kHoisted:
        return "s." + scalar_names_.at(node.index);
      case Op::kCondition:
        return condition_params_.at(node.index);
      case Op::kReduced:
        return reduction_names_.at(node.index);
      case Op::kLet:
        return let_names_.at(node.index);
      default:
        throw EmitError("the loop of " + rule() + " holds a value of the prologue");
    }
  };
  const auto is_scalar = [this](const Node &node) {
    const bool is_row = node.op == Op::kIndex && plan_.CountsRows(node);
    return is_row || node.op == Op::kHoisted || node.op == Op::kCondition;
  };
  return {ExprStyle::kPacket, leaf,    [this](Type type) { return TypeName(type); }, "N", is_scalar,
          numerics_,          divides_};
}

ExprStyle PlanText::HostStyle() const {
  const auto leaf = [this](const Node &node) -> std::string {
    switch (node.op) {
      case Op::kParam:
        return param_names_.at(node.index);
      case Op::kLocal:
        return local_names_.at(node.index);
      case Op::kDim: {
        const std::string &tensor = param_names_.at(node.index);
        if (node.dim == Node::kLastDim) return tensor + ".cols()";
        if (node.dim == Node::kRows) return tensor + ".rows()";
        if (node.dim >= Node::kFromLast) {
          return tensor + ".ExtentFromLast(\"" + plan_.title() + "\", \"" +
                 plan_.rule.params[node.index].name + "\", " +
                 std::to_string(node.dim - Node::kFromLast) + ")";
        }
        return node.dim < 0 ? tensor + ".Size()"
                            : tensor + ".shape[" + std::to_string(node.dim) + "]";
      }
      default:
        throw EmitError("the prologue of " + rule() + " holds a value of the loop");
    }
  };
  return {ExprStyle::kHost, leaf, [this](Type type) { return TypeName(type); }, "", {}};
}

std::string PlanText::HostName(std::string name) const {
  const auto is_taken = [&name](const std::vector<std::string> &names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  while (is_taken(param_names_) || is_taken(local_names_)) name += "_";
  return name;
}

ExprStyle PlanText::HostPacketStyle() const {
  ExprStyle style = HostStyle();
  style.target = ExprStyle::kPacket;
  style.lanes = "1";
  style.is_scalar = [](const Node &) { return true; };
  if (numerics_ == Numerics::kCorrect) style.numerics = numerics_;
  return style;
}

bool PlanText::MayBe(Type type, bool (*is)(ScalarKind)) const {
  if (!type.symbolic()) return is(type.kind);
  const auto &instances = plan_.rule.instances;
  return std::any_of(instances.begin(), instances.end(),
                     [&](const Instance &instance) { return is(KindIn(type, instance)); });
}

bool PlanText::NeedsPackets(const Expr &value) const {
  const auto is_integer = [](ScalarKind kind) {
    return CategoryOf(kind) == Category::kSigned || CategoryOf(kind) == Category::kUnsigned;
  };
  const auto is_float = [](ScalarKind kind) { return CategoryOf(kind) == Category::kFloat; };
  bool needs = false;
  ForEachNode(value, [&](const Expr &node) {
    needs = needs || node->op == Op::kBitCast;
    needs = needs || (numerics_ == Numerics::kCorrect && HasCorrectForm(*node));
    if (!MayBe(node->type, is_integer) || node->args.empty()) return;
    const bool from_float = node->op == Op::kCast && MayBe(node->args[0]->type, is_float);
    const bool computes = ClassOf(node->op) == OpClass::Infix || node->op == Op::kAbs;
    needs = needs || from_float || computes;
  });
  return needs;
}

ExprStyle PlanText::PeopleStyle() const {
  ExprStyle style = HostStyle();
  style.target = ExprStyle::kPeople;
  return style;
}

int CountApproximations(const Plan &plan, Numerics numerics) {
  int count = PlanText(plan, {}, true, numerics).Approximations();
  for (const PlanStage &stage : plan.stages) {
    if (!stage.call) count += CountApproximations(stage.kernel[0], numerics);
  }
  return count;
}

int CountStatements(const std::vector<Statement> &body) {
  int count = 0;
  for (const Statement &s : body) {
    const bool is_if = s.kind == Statement::kIf;
    count += is_if ? CountStatements(s.then_body) + CountStatements(s.else_body) : !s.is_made;
  }
  return count;
}

std::string ShortName(const PlanText::Instance &instance, std::string_view separator) {
  std::vector<std::string> names;
  for (ScalarKind kind : instance) {
    const std::string name(CppName(kind));
    names.push_back(name.substr(name.rfind(':') + 1));
  }
  return Join(names, separator);
}

std::string TemplateLine(const std::vector<std::string> &params) {
  return params.empty() ? "" : RenderList("template <", params, ">");
}

std::string TemplateArgs(const std::vector<std::string> &args) {
  return args.empty() ? "" : "<" + Join(args, ", ") + ">";
}

}  // namespace mgen
