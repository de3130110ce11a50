// SPDX-License-Identifier: Apache-2.0
/// \file plan.h
/// PlanIR: what will run. One Plan per rule: its operands, the scalars computed before the launch,
/// and the steps done for every element. Back ends read this and the rule's signature, nothing
/// else.
#ifndef MSHADOW_GENERATOR_IR_PLAN_H_
#define MSHADOW_GENERATOR_IR_PLAN_H_

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/axes.h"
#include "ir/indexed_read.h"
#include "ir/rule.h"

namespace mgen {

/// A boolean over Plan::conditions in disjunctive form: any of `terms`, each of which is all of its
/// literals. Empty: never. One empty term: always.
struct Guard {
  struct Literal {
    int condition;
    bool negated;
  };
  std::vector<std::vector<Literal>> terms;
  bool always() const;
  bool never() const { return terms.empty(); }
};

/// A tensor of the rule, as the loop sees it by one of its reads. Tensors that no statement uses
/// are no operands.
struct Operand {
  int param;         ///< index into Rule::params
  std::string name;  ///< the parameter's; for its second operand with "_row" and the like; of
                     ///< a gather "in_at_label"
  Type type;
  Axes axes;                  ///< that it has
  bool load = false;          ///< its old value is read by some variant
  Guard store;                ///< when it is written back
  bool is_temporary = false;  ///< no argument: a value of the rule's own
  int by = -1;                ///< of a gather: the indices, index into Rule::params
  Guard gathered;             ///< of a gather or a view: when some statement reads it
  /// Of a view: what it reads, where index expressions say that. Set by the pass index_reads.
  std::optional<IndexedRead> read;
};

/// A value of the Scalars struct: uniform over the elements, computed on the host once per launch.
struct HostScalar {
  std::string name;  ///< "one_minus_beta1"
  Type type;
  Expr value;  ///< over kParam, kLocal, kDim, literals
};

/// A scalar condition, decided once per launch: a bool template parameter of the loop.
struct Condition {
  std::string name;  ///< "nesterov" for kNesterov; no HostScalar has it
  Expr value;
  bool of_element = false;  ///< was part of an element's value, where integers wrap
};

/// What is done for each element, in order. Operands live in registers that carry their names;
/// kRead is the register's value at that point.
struct Step {
  enum Kind { kLet, kAssign, kReduce, kIf } kind;
  // kLet: a value used more than once. kAssign: the operand's register gets `value`. kReduce: the
  // reduction takes `value`.
  std::string name;    ///< kLet: the binding's name
  int let = -1;        ///< kLet: its number, what Node::index of a kLet names
  int operand = -1;    ///< kAssign: index into Plan::operands
  int reduction = -1;  ///< kReduce: index into Plan::reductions
  Expr value;  ///< over kRead (by param index and axes), kHoisted, kCondition, kLet, literals
  int statement = 0;   ///< the statement's number, for the comment at the end of the line
  bool again = false;  ///< kAssign: to a row buffer, once more, where rows are not buffered
  // kIf; one of the branches may be empty
  int condition = -1;
  std::vector<Step> then_steps;
  std::vector<Step> else_steps;
};

/// Calls `visit(const Step &)` for every step but kIf, those of both branches in order.
template <typename Visit>
void ForEachStep(const std::vector<Step> &steps, const Visit &visit) {
  for (const Step &step : steps) {
    if (step.kind != Step::kIf) visit(step);
    ForEachStep(step.then_steps, visit);
    ForEachStep(step.else_steps, visit);
  }
}

/// A reduction of a row's elements, of a column's, or of all, to one value.
struct Reduction {
  std::string name;
  Op op;
  Type type;
  int own = -1;  ///< of a reducer of the rule's own: index into Rule::reducers
};
/// A row of an operand that a CPU's loop prefetches while it computes.
struct Prefetch {
  int operand;  ///< index into Plan::operands
  bool next;    ///< its next row, not this one
};

/// A part of what a rule with reductions does with each row, with some columns, or with everything:
/// a sweep over the elements, or what is done once, between sweeps, with the values.
struct Phase {
  /// An operand of a sweep that is an element's value, or the term of a reduction.
  struct Use {
    int index;           ///< into Plan::operands, or Plan::reductions
    bool load = false;   ///< operands: some variant reads the value from before the sweep
    Guard store;         ///< when it is written back, or the term taken
    bool again = false;  ///< a row buffer of an earlier sweep: loaded, or its values computed again
  };
  bool is_sweep;
  std::vector<Step> steps;
  std::vector<Use> operands;    ///< of a sweep: elements, in the order of Plan::operands
  std::vector<Use> reductions;  ///< of a sweep, in the order of Plan::reductions
  std::vector<Use> values;      ///< operands with one value, that are read or given
  // Decided by the pass schedule, of a sweep.
  bool stores_non_temporal = false;  ///< it is what stores Schedule::non_temporal
  /// Of columns: whether a CPU takes four rows of a packet at a time, and not all packets of a row.
  /// What a row has to itself, a value or a window of a view, would be made anew for each packet;
  /// and to write four rows in turn takes up to twice as long as to write one.
  bool takes_four_rows = false;
  std::vector<Prefetch> prefetches;
  /// The values of a row, indices into Plan::operands, by which it divides floats and which it uses
  /// for nothing else: each is worth its reciprocal where division is exact.
  std::set<int> divisors;
};

/// Which instruction set a launch on a CPU takes.
enum class IsaPolicy {
  kWidest,
  kDivide,  ///< the one whose divider is fastest: the loop waits for quotients and roots
  kMove,    ///< by the bytes of a launch: the loop does little but move memory
  kCopy,    ///< likewise, of a loop that never reads what it writes
};
std::string_view IrName(IsaPolicy policy);

/// How a kernel runs, beside its steps: decided by the pass schedule, printed by back ends.
struct Schedule {
  /// The operand that a CPU's loops write with non-temporal stores where the last-level cache would
  /// not hold it: index into Plan::operands; -1: none.
  int non_temporal = -1;
  IsaPolicy isa = IsaPolicy::kWidest;
  /// Whether the loop waits for quotients and square roots longer than for everything else that it
  /// computes, on a CPU.
  bool waits_for_divider = false;
  /// Whether the AVX-512 region has the loop twice, in packets of 64 bytes and of 32: for loops
  /// that do little but move memory, the longer ones are faster in a core's first cache alone.
  bool has_short_packets = false;
  // Of a kernel whose values are of one dimension, with planes behind it.
  /// Whether planes may be taken in any order: none is reduced, and no value is stored.
  bool takes_planes = false;
  /// Whether the planes of neighbouring values are taken together, in the order of memory: the
  /// kernel reads them once, so that they need not stay in cache.
  bool takes_blocks = false;
  // On a GPU, of a kernel that reduces nothing.
  int threads = 0;  ///< of a block
  int lanes = 0;    ///< elements of a vector at most
  int vectors = 0;  ///< that a thread loads before it computes
  int waves = 0;    ///< blocks at most, in what the device runs at once
};

/// Two parameters that may be one buffer, or may not.
struct AliasRule {
  int written;  ///< index into Rule::params
  int other;
  bool same_allowed;  ///< exact aliasing gives the unfused rule's result
};

/// The numbers of reduced elements, which their type must hold.
struct Count {
  std::string name;  ///< of what gets them
  Type type;
  Guard used;
};

/// A matrix product between kernels: `target saver scale * dot(left, right)`.
struct Product {
  int statement;
  int target;  ///< as the factors an index into Rule::params
  Saver saver;
  Factor left, right;
  int scale = -1;      ///< index into Plan::scalars; -1: 1
  int condition = -1;  ///< index into Plan::conditions: only where that holds; -1: always
};

struct Plan;

/// What is done at once by a rule of several stages: a product, or the kernel of a Plan of its own,
/// which has the same parameters and prologue.
struct PlanStage {
  std::optional<Product> product;
  std::vector<Plan> kernel;  ///< one, unless it is a product
};

struct Plan {
  Rule rule;  ///< signature, prologue, instances, statements' texts
  /// Of a rule of several stages, which has no steps itself: its operands are theirs, its scalars
  /// and conditions those of the products.
  std::vector<PlanStage> stages;
  std::string stage_of;  ///< of a stage's kernel: the name of its rule; else ""
  /// The axes that its values have: those that it reduces to, and those of vectors that it
  /// computes. Loops over these lie around the others, or, where the last one is among them, each
  /// packet has values of its own. A kernel without such values keeps every axis.
  Axes kept;
  std::vector<Operand> operands;
  std::vector<HostScalar> scalars;
  std::vector<Condition> conditions;
  Guard runs;               ///< when an operand is written at all
  std::vector<Step> steps;  ///< for every element, unless the rule has phases
  std::vector<Reduction> reductions;
  std::vector<Phase> phases;  ///< of a rule that reduces: for every row, or one after the other
  Schedule schedule;
  std::vector<AliasRule> aliases;
  /// Arguments that are no operands, but must fit as Statement::fitting says, each once.
  std::vector<Expr> fitting;
  std::vector<Count> counts;

  /// Types that occupy a lane in the loop: the packet has vector_bytes / widest lanes.
  std::vector<Type> lane_types;
  bool uses_place = false;    ///< kIndex or kAtColumn occurs: rows stay apart
  bool uses_numbers = false;  ///< kIndex of what is reduced, of everything or of channels
  bool uses_views = false;    ///< so they do where elements are read at other places
  bool uses_math =
      false;  ///< an op of class Packet other than Abs, Sqrt, Min, Max, Floor, … occurs
  std::vector<std::string> lanewise_calls;  ///< libm functions kept as they are

  // For people: bytes per element of the first instance, fused and as the unfused statements move
  // them.
  int bytes = 0;
  int unfused_bytes = 0;
  int unfused_passes = 0;

  bool is_staged() const { return !stages.empty(); }
  bool is_stage() const { return !stage_of.empty(); }
  /// The name that messages know: of a stage, its rule's.
  const std::string &title() const { return is_stage() ? stage_of : rule.name; }
  /// Whether a launch may take rows that follow each other in memory, in all tensors, for one.
  bool may_collapse() const {
    return !kept.is_rows() && kept != Axes::Last() && !uses_place && !finds_rows_of_views();
  }
  /// The same on a GPU, where an element of a view is found by its row and column.
  bool may_collapse_on_gpu() const { return may_collapse() && !uses_views; }
  /// Whether a read with these axes takes the value of a column.
  bool IsOfColumn(Axes axes) const { return kept.has_last() && axes == kept; }
  /// Whether it evaluates views row by row on CPUs, too. Elements alone, of tensors that are one
  /// run of memory, are one row there, and a window of a view goes over the ends of its rows.
  bool finds_rows_of_views() const;
  /// Whether an operand is no tensor, but what one sweep computes for each element of a row and a
  /// CPU keeps for later sweeps, in rows that are not too long: set by the pass buffer.
  bool IsRowBuffer(int operand) const {
    return !kept.is_every() && operands[operand].is_temporary && operands[operand].axes.is_every();
  }
  bool has_row_buffers() const;
  /// Whether a read with these axes takes no element of a sweep, but a value: of the row, of the
  /// column, or the only one.
  bool IsValue(Axes axes) const;
  /// How often it goes over the elements, of a row, of columns or all; 0 if it reduces nothing.
  int sweeps() const;
  /// Whether an operand's value is read by another phase than the first that gives it.
  bool IsKept(int operand) const;
  /// How often it goes over memory.
  int passes() const;
  /// The view that an operand is, whose Plan kernels evaluate; null if it is a tensor or a part.
  const View *ViewOf(int operand) const {
    const Param &param = rule.params[operands[operand].param];
    return param.view && !param.is_part() ? &*param.view : nullptr;
  }
  /// The part of an argument that an operand is; null if it is none.
  const View *PartOf(int operand) const {
    const Param &param = rule.params[operands[operand].param];
    return param.is_part() ? &*param.view : nullptr;
  }
  /// The operand that a kRead of `param` with these axes reads; -1: none.
  int FindOperand(int param, Axes axes = Axes::Every(), int by = -1) const;
  /// The tensors of `aliases` that are no operand: what another kernel writes beside this one.
  std::vector<int> Beside() const;
  int FindOperand(const Node &read) const { return FindOperand(read.index, read.axes, read.by); }
  /// Whether the index of this kIndex counts rows, rather than the elements of one.
  bool CountsRows(const Node &index) const;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_PLAN_H_
