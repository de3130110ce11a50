// SPDX-License-Identifier: Apache-2.0
#include "passes/fuse_sweeps.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/effects.h"
#include "ir/walk.h"
#include "passes/names.h"

namespace mgen {
namespace {

/// Tensors with memory, indices into Rule::params.
using Tensors = std::set<int>;

/// The tensors whose memory an operand is.
Tensors MemoryOf(const Plan &kernel, const Operand &operand) {
  Tensors memory;
  const auto add = [&](int tensor) {
    for (const int source : WithSources(kernel.rule, tensor)) {
      if (!kernel.rule.params[source].view) memory.insert(source);
    }
  };
  add(operand.param);
  if (operand.by >= 0) add(operand.by);
  return memory;
}

/// What some phases of a kernel do to memory.
struct Uses {
  Tensors read, written;
};

/// \param begin, end the phases
Uses UsesOf(const Plan &kernel, size_t begin, size_t end) {
  Uses uses;
  const auto add = [&](const std::vector<Phase::Use> &all) {
    for (const Phase::Use &use : all) {
      const Operand &operand = kernel.operands[use.index];
      if (operand.is_temporary) continue;
      if (use.load) uses.read.merge(MemoryOf(kernel, operand));
      if (!use.store.never()) uses.written.merge(MemoryOf(kernel, operand));
    }
  };
  for (size_t i = begin; i < end; ++i) {
    add(kernel.phases[i].operands);
    add(kernel.phases[i].values);
  }
  // Gathers belong to no phase.
  for (const Operand &operand : kernel.operands) {
    if (operand.axes.is_picked()) uses.read.merge(MemoryOf(kernel, operand));
  }
  return uses;
}

/// Whether some variant stores one of these operands.
bool StoresSome(const std::vector<Phase::Use> &uses) {
  return std::any_of(uses.begin(), uses.end(),
                     [](const Phase::Use &use) { return !use.store.never(); });
}

Phase::Use *FindUse(std::vector<Phase::Use> *uses, int operand) {
  const auto found = std::find_if(uses->begin(), uses->end(), [operand](const Phase::Use &use) {
    return use.index == operand;
  });
  return found == uses->end() ? nullptr : &*found;
}

bool HasNamedRows(const Plan &kernel) {
  return std::any_of(kernel.operands.begin(), kernel.operands.end(), [&](const Operand &operand) {
    return kernel.rule.params[operand.param].Indices() >= 0;
  });
}

/// Whether a read with these axes is at the same element or row in both kernels.
bool IsInPlace(Axes axes) { return axes.is_every() || axes.is_rows(); }

/// Fuses a kernel over rows and one over columns, of which either may come first.
class SweepFuser {
 public:
  SweepFuser(Plan *first, Plan *second)
      : is_rows_first_(first->kept.is_rows()),
        rows_(is_rows_first_ ? first : second),
        columns_(is_rows_first_ ? second : first) {}

  void Run() {
    if (!rows_->kept.is_rows() || columns_->kept != Axes::Last()) return;
    if (!rows_->ReducesOnlyBy(Order::kLanes) || !columns_->ReducesOnlyBy(Order::kLeaves)) return;
    if (rows_->leaves || columns_->takes_leaves) return;
    if (HasNamedRows(*rows_)) return;  // a launch could not tell their matrix from other arguments
    if (!rows_->runs.always() || !columns_->runs.always() || !columns_->conditions.empty()) return;
    if (!ReducesFirst() || !FindReads() || !FindSweep()) return;
    AddApart();
    if (!is_possible_) return;
    rows_->leaves = Leaves{is_rows_first_, {apart_.begin(), apart_.end()}, SavedBytes()};
    columns_->takes_leaves = true;
    MoveSteps();
  }

 private:
  const Phase &Sweep() const { return columns_->phases.front(); }

  /// Whether the kernel of columns begins with a sweep that only reduces.
  bool ReducesFirst() const {
    return !columns_->phases.empty() && Sweep().is_sweep && !Sweep().reductions.empty() &&
           !StoresSome(Sweep().operands);
  }

  /// Finds the operands of the kernel of rows that the sweep reads.
  /// \returns false if it reads something else
  bool FindReads() {
    bool fits = true, has_elements = false;
    ForEachStep(Sweep().steps, [&](const Step &step) {
      ForEachNode(step.value, [&](const Expr &node) {
        fits = fits && node->op != Op::kIndex && node->op != Op::kAtColumn;
        if (node->op != Op::kRead) return;
        const int operand = rows_->FindOperand(*node);
        const bool is_known = operand >= 0 && !node->axes.is_picked() &&
                              !rows_->rule.params[node->index].view &&
                              !rows_->operands[operand].is_temporary;
        fits = fits && is_known;
        if (is_known) reads_.insert(operand);
        has_elements = has_elements || node->axes.is_every();
      });
    });
    return fits && has_elements;
  }

  /// Finds the first sweep that can take the steps. The first sweep of a kernel mostly reduces
  /// rows. Then its packets begin at element 0, so few of them straddle cache lines of the leaves.
  /// If the kernel of rows comes first, the steps must read what it has written.
  bool FindSweep() {
    for (size_t i = 0; i < rows_->phases.size() && sweep_ < 0; ++i) {
      if (rows_->phases[i].is_sweep && (!is_rows_first_ || !AreWrittenAfter(i))) {
        sweep_ = static_cast<int>(i);
      }
    }
    return sweep_ >= 0 && (is_rows_first_ || !ReadsWrittenValue());
  }

  /// Whether an operand that the steps read is written after a sweep.
  bool AreWrittenAfter(size_t sweep) const {
    const auto is_written = [this](const Phase::Use &use) {
      return !use.store.never() && reads_.count(use.index) != 0;
    };
    for (size_t i = sweep + 1; i < rows_->phases.size(); ++i) {
      const Phase &phase = rows_->phases[i];
      if (std::any_of(phase.operands.begin(), phase.operands.end(), is_written)) return true;
      if (std::any_of(phase.values.begin(), phase.values.end(), is_written)) return true;
    }
    return false;
  }

  /// Whether the steps read a value of a row that the kernel of rows also writes.
  bool ReadsWrittenValue() const {
    return std::any_of(reads_.begin(), reads_.end(), [this](int operand) {
      const Operand &of = rows_->operands[operand];
      return !of.axes.is_every() && !of.store.never();
    });
  }

  /// Notes which arguments must be apart, and whether one is not.
  void AddApart() {
    const Uses of_rows = UsesOf(*rows_, 0, rows_->phases.size());
    for (const int target : of_rows.written) {
      for (const int operand : reads_) AddRead(target, rows_->operands[operand]);
    }
    if (is_rows_first_) return;
    // The other phases of the kernel of columns now come after the kernel of rows.
    const Uses later = UsesOf(*columns_, 1, columns_->phases.size());
    AddApart(of_rows.written, later.read);
    AddApart(later.written, of_rows.read);
    AddApart(later.written, of_rows.written);
  }

  /// The kernel of rows writes `target`, and the sweep reads `read` in that kernel.
  void AddRead(int target, const Operand &read) {
    if (target == read.param) {
      is_possible_ = is_possible_ && IsInPlace(read.axes) && !HasParts(target);
    } else if (is_rows_first_ || !IsInPlace(read.axes)) {
      // If they were the same tensor, the sweep would have to read what is written.
      AddApart(Tensors{target}, Tensors{read.param});
    }
  }
  /// Whether the kernel of rows has a slice or a view of a tensor.
  bool HasParts(int tensor) const {
    return std::any_of(rows_->operands.begin(), rows_->operands.end(), [&](const Operand &o) {
      return o.param != tensor && MemoryOf(*rows_, o).count(tensor) != 0;
    });
  }
  void AddApart(const Tensors &written, const Tensors &others) {
    for (const int target : written) {
      for (const int other : others) {
        is_possible_ = is_possible_ && target != other;
        const auto is_argument = [this](int i) { return rows_->rule.params[i].is_argument(); };
        const bool may_overlap = is_argument(target) && is_argument(other);
        if (may_overlap && !AreNeverSame(target, other)) apart_.insert(std::minmax(target, other));
      }
    }
  }
  /// Whether a launch checks that two arguments do not overlap.
  bool AreNeverSame(int a, int b) const {
    const auto says_so = [&](const Plan &kernel) {
      return std::any_of(kernel.aliases.begin(), kernel.aliases.end(), [&](const AliasRule &rule) {
        return !rule.same_allowed && std::minmax(rule.written, rule.other) == std::minmax(a, b);
      });
    };
    return says_so(*rows_) || says_so(*columns_);
  }

  int SavedBytes() const {
    int bytes = 0;
    for (const Phase::Use &use : Sweep().operands) {
      const Operand &operand = columns_->operands[use.index];
      if (operand.axes.is_every() && use.load) bytes += Bytes(operand.type.kind);
    }
    return bytes;
  }

  void MoveSteps() {
    for (Type type : columns_->lane_types) {
      std::vector<Type> &all = rows_->lane_types;
      if (std::find(all.begin(), all.end(), type) == all.end()) all.push_back(type);
    }
    rows_->uses_math = rows_->uses_math || columns_->uses_math;
    for (const std::string &call : columns_->lanewise_calls) {
      std::vector<std::string> &all = rows_->lanewise_calls;
      if (std::find(all.begin(), all.end(), call) == all.end()) all.push_back(call);
    }
    NameSet names;
    for (const Param &param : rows_->rule.params) names.Take(param.name);
    for (const HostScalar &scalar : rows_->scalars) names.Take(scalar.name);
    for (const Reduction &reduction : rows_->reductions) names.Take(reduction.name);
    Phase &phase = rows_->phases[sweep_];
    std::vector<Step> steps = Sweep().steps;
    for (Step &step : steps) {
      step.value = WithScalars(step.value, &names);
      step.reduction = LeafOf(step.reduction, &names, &phase);
    }
    const auto place = is_rows_first_ ? phase.steps.end() : phase.steps.begin();
    phase.steps.insert(place, steps.begin(), steps.end());
    for (const int operand : reads_) AddUse(operand, &phase);
  }

  /// Adds an operand to the sweep of the kernel of rows.
  void AddUse(int operand, Phase *phase) {
    const bool is_value = rows_->IsValue(rows_->operands[operand].axes);
    std::vector<Phase::Use> *const uses = is_value ? &phase->values : &phase->operands;
    Phase::Use *use = FindUse(uses, operand);
    if (use == nullptr) {
      const auto behind = std::find_if(uses->begin(), uses->end(), [operand](const auto &other) {
        return other.index > operand;
      });
      use = &*uses->insert(behind, Phase::Use{operand});
    }
    use->load = use->load || !is_rows_first_ || !use->store.always();
    if (!is_rows_first_) rows_->operands[operand].load = true;
  }

  /// The reduction of the kernel of rows that computes the leaves of a reduction.
  int LeafOf(int reduction, NameSet *names, Phase *phase) {
    const auto [known, is_new] =
        leaves_.emplace(reduction, static_cast<int>(rows_->reductions.size()));
    if (!is_new) return known->second;
    Reduction leaf = columns_->reductions[reduction];
    leaf.name = names->Unique(leaf.name);
    leaf.leaf_of = reduction;
    rows_->reductions.push_back(std::move(leaf));
    Phase::Use use{known->second};
    use.store.terms = {{}};
    phase->reductions.push_back(use);
    return known->second;
  }

  /// The same value over the scalars of the kernel of rows.
  Expr WithScalars(const Expr &value, NameSet *names) {
    Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
      if (node->op != Op::kHoisted) return WithArgs(node, std::move(args));
      const auto [known, is_new] =
          scalars_.emplace(node->index, static_cast<int>(rows_->scalars.size()));
      if (is_new) {
        rows_->scalars.push_back(columns_->scalars[node->index]);
        rows_->scalars.back().name = names->Unique(rows_->scalars.back().name);
      }
      return MakeHoisted(known->second, node->type);
    });
    return rewrite(value);
  }

  const bool is_rows_first_;
  Plan *const rows_, *const columns_;
  std::set<int> reads_;  // operands of the kernel of rows
  int sweep_ = -1;       // the number of the phase of the kernel of rows that takes the steps
  bool is_possible_ = true;
  std::set<std::pair<int, int>> apart_;  // arguments, the lesser index first
  std::map<int, int> leaves_, scalars_;  // of the kernel of columns: in the kernel of rows
};

}  // namespace

void FuseSweeps(Plan *first, Plan *second) { SweepFuser(first, second).Run(); }

}  // namespace mgen
