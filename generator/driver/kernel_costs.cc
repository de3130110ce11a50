// SPDX-License-Identifier: Apache-2.0
#include "driver/kernel_costs.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <set>

#include "ir/walk.h"
#include "passes/traffic.h"

namespace mgen {
namespace {

bool IsFlop(const Node &node) {
  constexpr Op kFlops[] = {Op::kAdd, Op::kSub, Op::kMul, Op::kDiv, Op::kSqrt};
  return IsFloat(node.type.kind) && llvm::is_contained(kFlops, node.op);
}

/// Whether an operation is a function: no processor has a single instruction for it.
bool IsFunction(Op op) { return IsElementary(op) || op == Op::kRsqrt || op == Op::kRem; }

void Add(const Work &other, Work *work) {
  work->flops += other.flops;
  for (const auto &[name, count] : other.functions) work->functions[name] += count;
}

int Size(const Work &work) {
  int size = work.flops;
  for (const auto &[name, count] : work.functions) size += 100 * count;
  return size;
}

void AddWork(const Expr &value, Work *work) {
  ForEachNode(value, [work](const Expr &node) {
    work->flops += IsFlop(*node);
    if (IsFunction(node->op) && IsFloat(node->type.kind)) {
      ++work->functions[std::string(IrName(node->op))];
    }
    if (node->op == Op::kCall) ++work->functions[node->name];
  });
}

Work WorkOf(const Plan &plan, const std::vector<Step> &steps) {
  Work work;
  for (const Step &step : steps) {
    if (step.kind == Step::kIf) {
      const Work taken = WorkOf(plan, step.then_steps), other = WorkOf(plan, step.else_steps);
      Add(Size(taken) >= Size(other) ? taken : other, &work);
      continue;
    }
    if (step.again) continue;  // a CPU has the value in a buffer
    AddWork(step.value, &work);
    if (step.kind != Step::kReduce) continue;
    const Reduction &reduction = plan.reductions[step.reduction];
    if (reduction.own >= 0) {
      AddWork(plan.rule.reducers[reduction.own].reduce, &work);
    } else {
      const Reducing reducing = ReducingOf(reduction.op);
      work.flops += reducing == Reducing::kSum || reducing == Reducing::kProduct;
    }
  }
  return work;
}

/// The kind of a type in the first instance.
ScalarKind FirstKind(const Plan &plan, const Type &type) {
  return plan.rule.instances.empty() ? type.kind : KindIn(type, plan.rule.instances.front());
}

/// The bytes of each temporary that one phase assigns and another reads.
std::vector<int> KeptSizes(const Plan &plan) {
  std::vector<int> sizes;
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const Operand &operand = plan.operands[i];
    if (!operand.is_temporary || !plan.IsKept(static_cast<int>(i))) continue;
    sizes.push_back(Bytes(FirstKind(plan, operand.type)));
  }
  return sizes;
}

std::vector<int> StatementsOf(const std::vector<Step> &steps) {
  std::set<int> statements;
  ForEachStep(steps, [&](const Step &step) {
    if (step.statement > 0) statements.insert(step.statement);
  });
  return {statements.begin(), statements.end()};
}

void AddUse(const Plan &plan, const Operand &operand, bool load, bool store, Part *part) {
  if (operand.is_temporary || plan.rule.params[operand.param].is_drawn()) return;
  if (load) part->loads.push_back(operand.name);
  if (store) part->stores.push_back(operand.name);
  if (!operand.axes.is_every() || !IsTraffic(plan.rule.params[operand.param])) return;
  part->bytes += Bytes(operand.type.kind) * (load + store);
}

/// The values that earlier phases reduce or assign.
class Earlier {
 public:
  explicit Earlier(const Plan &plan) : plan_(plan) {}

  /// The value of an earlier phase that a phase reads. If it reads several, the last one, for which
  /// it has to wait.
  std::optional<Boundary> Find(const Phase &phase) const {
    const Giver *last = nullptr;
    int reader = 0;
    ForEachStep(phase.steps, [&](const Step &step) {
      if (step.value == nullptr) return;
      // The reader is the first statement that uses the value.
      if (last != nullptr && reader == 0) reader = step.statement;
      ForEachNode(step.value, [&](const Expr &node) {
        const Giver *const giver = Find(*node);
        if (giver == nullptr || (last != nullptr && giver->phase <= last->phase)) return;
        last = giver;
        reader = step.statement;
      });
    });
    if (last == nullptr) return {};
    return Boundary{last->value, reader, last->statement};
  }

  /// Adds a phase, which is an earlier one from now on.
  void Add(const Phase &phase) {
    ++phases_;
    ForEachStep(phase.steps, [&](const Step &step) {
      if (step.kind == Step::kReduce) {
        const Reduction &reduction = plan_.reductions[step.reduction];
        reduced_[step.reduction] = {reduction.name, step.statement, phases_};
      } else if (step.kind == Step::kAssign) {
        const Operand &operand = plan_.operands[step.operand];
        given_[step.operand] = {operand.name, step.statement, phases_};
      }
    });
  }

 private:
  struct Giver {
    std::string value;
    int statement;
    int phase;
  };

  const Giver *Find(const Node &node) const {
    const bool is_value = node.op == Op::kRead && !node.axes.is_every();
    if (node.op != Op::kReduced && !is_value) return nullptr;
    const std::map<int, Giver> &givers = is_value ? given_ : reduced_;
    const auto giver = givers.find(is_value ? plan_.FindOperand(node) : node.index);
    return giver == givers.end() ? nullptr : &giver->second;
  }

  const Plan &plan_;
  int phases_ = 0;
  std::map<int, Giver> reduced_, given_;  // by reduction, by operand
};

Part PartOf(const Plan &plan, const Phase &phase) {
  Part part;
  part.is_sweep = phase.is_sweep;
  part.statements = StatementsOf(phase.steps);
  for (const auto *uses : {&phase.operands, &phase.values}) {
    for (const Phase::Use &use : *uses) {
      AddUse(plan, plan.operands[use.index], use.load, !use.store.never(), &part);
    }
  }
  for (const Phase::Use &use : phase.reductions) {
    part.reduces.push_back(plan.reductions[use.index].name);
  }
  part.work = WorkOf(plan, phase.steps);
  return part;
}

}  // namespace

std::vector<Part> PartsOf(const Plan &plan) {
  if (plan.kept.is_every()) {
    Part part;
    part.statements = StatementsOf(plan.steps);
    for (const Operand &operand : plan.operands) {
      AddUse(plan, operand, operand.load, !operand.store.never(), &part);
    }
    part.work = WorkOf(plan, plan.steps);
    return {part};
  }
  std::vector<Part> parts;
  Earlier earlier(plan);
  for (const Phase &phase : plan.phases) {
    parts.push_back(PartOf(plan, phase));
    if (phase.is_sweep) parts.back().boundary = earlier.Find(phase);
    earlier.Add(phase);
  }
  return parts;
}

int LanesOf(const Plan &plan, int vector_bytes) {
  int widest = 1;
  for (const Type &type : plan.lane_types) {
    const ScalarKind kind = FirstKind(plan, type);
    widest = std::max(widest, IsNarrowFloat(kind) ? 4 : Bytes(kind));  // computed in float
  }
  return vector_bytes / widest;
}

int WorkspaceBytes(const Plan &plan) {
  if (!plan.kept.is_none()) return 0;
  constexpr int kParts = 256, kLanes = 16;  // mshadow/emitted/parts.h
  int bytes = 0, alignment = 1;
  const auto add = [&](int size, int count) {
    bytes = (bytes + size - 1) / size * size + size * count;
    alignment = std::max(alignment, size);
  };
  for (const Reduction &reduction : plan.reductions) {
    add(Bytes(FirstKind(plan, reduction.type)), kParts * kLanes);
  }
  for (const int size : KeptSizes(plan)) add(size, 1);
  return (bytes + alignment - 1) / alignment * alignment;
}

ColumnWorkspace ColumnWorkspaceOf(const Plan &plan) {
  ColumnWorkspace workspace;
  if (!plan.kept.has_last()) return workspace;
  for (const Reduction &reduction : plan.reductions) {
    workspace.bytes_per_part += Bytes(FirstKind(plan, reduction.type));
  }
  for (const int size : KeptSizes(plan)) workspace.bytes += size;
  return workspace;
}

}  // namespace mgen
