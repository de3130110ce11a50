// SPDX-License-Identifier: Apache-2.0
#include "ir/rule.h"

#include <algorithm>

#include "ir/plan.h"
#include "ir/walk.h"

namespace mgen {

std::string_view IrName(Role role) {
  static constexpr std::string_view kNames[] = {"",      "parameter", "gradient",
                                                "state", "hyper",     "step"};
  return kNames[static_cast<int>(role)];
}

std::string_view Spelling(Saver saver) {
  static constexpr std::string_view kSpellings[] = {"=", "+=", "-=", "*=", "/="};
  return kSpellings[static_cast<int>(saver)];
}

std::vector<std::string> Rule::type_params() const {
  std::vector<std::string> names;
  for (const TemplateParam &param : template_params) {
    if (param.kind == TemplateParam::kElementType) names.push_back(param.name);
  }
  return names;
}

std::string Rule::rank_name() const {
  for (const TemplateParam &param : template_params) {
    if (param.kind == TemplateParam::kRank) return param.name;
  }
  return "dim";
}

std::vector<Param> Rule::signature() const {
  std::vector<Param> arguments;
  for (const Param &param : params) {
    if (param.is_argument()) arguments.push_back(param);
  }
  return arguments;
}

Op ReductionOp(Reducing reducing) {
  return static_cast<Op>(static_cast<int>(Op::kReduceSum) + static_cast<int>(reducing));
}

Reducing ReducingOf(Op reduction) {
  return static_cast<Reducing>(static_cast<int>(reduction) - static_cast<int>(Op::kReduceSum));
}

std::string_view IrName(IsaPolicy policy) {
  static constexpr std::string_view kNames[] = {"widest", "divide", "move", "copy"};
  return kNames[static_cast<int>(policy)];
}

bool Guard::always() const {
  for (const std::vector<Literal> &term : terms) {
    if (term.empty()) return true;
  }
  return false;
}

bool operator==(const Guard &a, const Guard &b) { return a.terms == b.terms; }

Guard Or(const Guard &a, const Guard &b) {
  if (a.always() || b.always()) return Guard::Always();
  Guard either = a;
  for (const auto &term : b.terms) {
    const bool is_known = std::find(a.terms.begin(), a.terms.end(), term) != a.terms.end();
    if (!is_known) either.terms.push_back(term);
  }
  return either;
}

bool Plan::IsKept(int operand) const {
  const auto is_read = [operand](const Phase &phase) {
    return std::any_of(phase.values.begin(), phase.values.end(),
                       [operand](const auto &use) { return use.index == operand && use.load; });
  };
  return std::any_of(phases.begin(), phases.end(), is_read);
}

bool Plan::IsValue(Axes axes) const {
  return axes.is_uniform() || axes.is_picked() || IsOfColumn(axes);
}

int Plan::sweeps() const {
  int count = 0;
  for (const Phase &phase : phases) count += phase.is_sweep;
  return count;
}

bool Plan::finds_rows_of_views() const {
  const auto has_uneven_rows = [this](const Operand &operand) {
    return operand.param >= 0 && !rule.params[operand.param].has_even_rows();
  };
  const auto has_rows = [&](const Operand &operand) {
    return has_uneven_rows(operand) || (operand.read && !operand.read->is_counted);
  };
  return uses_views &&
         (!kept.is_every() || std::any_of(operands.begin(), operands.end(), has_rows));
}

bool Plan::has_row_buffers() const {
  bool has = false;
  for (size_t i = 0; i < operands.size(); ++i) has = has || IsRowBuffer(static_cast<int>(i));
  return has;
}

bool Plan::ReducesOnlyBy(Order order) const {
  return std::all_of(reductions.begin(), reductions.end(), [order](const Reduction &reduction) {
    return reduction.is_leaf() || reduction.order == order;
  });
}

std::set<int> Plan::OwnReducers() const {
  std::set<int> own;
  for (const Reduction &reduction : reductions) {
    if (reduction.own >= 0) own.insert(reduction.own);
  }
  for (const Phase &phase : phases) {
    ForEachStep(phase.steps, [&own](const Step &step) {
      ForEachNode(step.value, [&own](const Expr &node) {
        if (node->op == Op::kScan && node->index >= 0) own.insert(node->index);
      });
    });
  }
  return own;
}

bool Plan::IsInFirstPhase(int reduction) const {
  const std::vector<Phase::Use> &uses = phases.front().reductions;
  return std::any_of(uses.begin(), uses.end(),
                     [reduction](const Phase::Use &use) { return use.index == reduction; });
}

int Plan::passes() const {
  if (!is_staged()) return kept.has_last() || kept.is_none() ? sweeps() : 1;
  int count = 0;
  for (const PlanStage &stage : stages) {
    count += stage.call ? 1 : stage.kernel[0].passes() - stage.kernel[0].leaves.has_value();
  }
  return count;
}

std::vector<int> Sort::TargetsWith(int target) const {
  if (columns < 0 || columns == target) return {target};
  return {target, columns};
}

std::vector<int> StageCall::sources() const {
  if (kind == Statement::kSort) return {left.tensor};
  return {left.tensor, right.tensor};
}

int BytesOf(const Rule &rule, const StageCall &call) {
  if (call.kind == Statement::kProduct) return 0;
  if (call.kind == Statement::kSort) return Bytes(rule.params[call.left.tensor].type.kind);
  return 3 * Bytes(rule.params[call.target].type.kind);
}

int Plan::CountCalls(Statement::Kind kind) const {
  return static_cast<int>(std::count_if(
      stages.begin(), stages.end(),
      [kind](const PlanStage &stage) { return stage.call && stage.call->kind == kind; }));
}

std::vector<int> Plan::NamedRows() const {
  std::vector<int> all;
  const auto add = [&](int param) {
    const bool is_known = std::find(all.begin(), all.end(), param) != all.end();
    if (param >= 0 && rule.params[param].Indices() >= 0 && !is_known) all.push_back(param);
  };
  for (const Operand &operand : operands) add(operand.param);
  for (const Fitting &fits : fitting) {
    if (fits.tensor->op == Op::kRead) add(fits.tensor->index);
  }
  return all;
}

std::vector<std::pair<int, Guard>> Plan::Beside() const {
  std::vector<std::pair<int, Guard>> tensors;
  for (const AliasRule &alias : aliases) {
    const bool is_operand = std::any_of(operands.begin(), operands.end(),
                                        [&](const Operand &o) { return o.param == alias.other; }) ||
                            std::any_of(fitting.begin(), fitting.end(), [&](const Fitting &f) {
                              return f.tensor->op == Op::kRead && f.tensor->index == alias.other;
                            });
    if (is_operand) continue;
    auto known = std::find_if(tensors.begin(), tensors.end(),
                              [&](const auto &tensor) { return tensor.first == alias.other; });
    if (known == tensors.end()) known = tensors.insert(known, {alias.other, Guard()});
    for (const Operand &operand : operands) {
      if (operand.param == alias.written) known->second = Or(known->second, operand.used);
    }
  }
  return tensors;
}

std::vector<std::pair<int, Guard>> Plan::Compared() const {
  std::vector<std::pair<int, Guard>> tensors;
  for (const Fitting &fits : fitting) tensors.emplace_back(fits.tensor->index, fits.used);
  for (const SameShape &same : same_shapes) {
    for (const int tensor : same.tensors) tensors.emplace_back(tensor, same.used);
  }
  return tensors;
}

Guard Plan::UsedWhereRun(int operand) const {
  const Guard &used = operands[operand].used;
  return is_stage() && used == runs ? Guard::Always() : used;
}

int Plan::FindOperand(int param, Axes axes, int by) const {
  for (size_t i = 0; i < operands.size(); ++i) {
    const Operand &operand = operands[i];
    if (operand.param == param && operand.axes == axes && operand.by == by) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

bool Plan::CountsRows(const Node &index) const {
  if (index.dim < 0) return kept.has_last();
  return rule.params[index.index].rank == 2 ? index.dim == 0 : kept.is_rows() || kept.only() >= 0;
}

std::string TensorOfRank(const Rule &rule, int rank) {
  const Param *first = nullptr, *wide = nullptr;
  for (const Param &param : rule.params) {
    if (!param.is_tensor || !param.is_argument()) continue;
    if (param.rank == rank) return param.name;
    if (first == nullptr) first = &param;
    if (wide == nullptr && param.rank != 1) wide = &param;
  }
  if (wide != nullptr) return wide->name;
  return first == nullptr ? "tensor" : first->name;
}

bool HasTensorOfRank(const Rule &rule, int rank) {
  return std::any_of(rule.params.begin(), rule.params.end(), [rank](const Param &param) {
    return param.is_tensor && param.is_argument() && param.rank == rank;
  });
}

bool IsBoolSomewhere(const Rule &rule, Type type) {
  if (!type.symbolic()) return type.kind == ScalarKind::kBool;
  return std::any_of(rule.instances.begin(), rule.instances.end(), [type](const auto &instance) {
    return KindIn(type, instance) == ScalarKind::kBool;
  });
}

}  // namespace mgen
