// SPDX-License-Identifier: Apache-2.0
/// \file plan.h
/// PlanIR: how a rule runs. A Plan has the operands, the scalars that the host computes before the
/// launch, and the steps for each element. If a rule has stages, each of its kernels has a Plan,
/// too. Back ends read this and the rule's signature, nothing else.
#ifndef MSHADOW_GENERATOR_IR_PLAN_H_
#define MSHADOW_GENERATOR_IR_PLAN_H_

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/axes.h"
#include "ir/indexed_read.h"
#include "ir/rule.h"

namespace mgen {

/// A boolean over Plan::conditions in disjunctive form: it holds if all literals of one of `terms`
/// hold. No term: never. One empty term: always.
struct Guard {
  struct Literal {
    int condition;
    bool negated;
    bool operator==(const Literal &other) const {
      return condition == other.condition && negated == other.negated;
    }
  };
  std::vector<std::vector<Literal>> terms;
  static Guard Always() { return {{{}}}; }
  bool always() const;
  bool never() const { return terms.empty(); }
};
bool operator==(const Guard &a, const Guard &b);
/// Holds if one of the two does.
Guard Or(const Guard &a, const Guard &b);

/// A tensor of the rule with the axes of some of its reads. A tensor that is read along different
/// axes is several operands. One that no statement uses is none.
struct Operand {
  int param;         ///< index into Rule::params
  std::string name;  ///< the parameter's; other operands of the same parameter append "_row" or the
                     ///< like; a gather is "in_at_label"
  Type type;
  Axes axes;                  ///< those of the kernel's axes that it has
  bool load = false;          ///< some variant reads the value from before the launch
  Guard store;                ///< when it is written back
  bool is_temporary = false;  ///< no argument: a tensor that only the rule needs
  int by = -1;  ///< for a gather: the tensor of indices, an index into Rule::params; else -1
  /// When a launch runs a statement that uses it. If none does, as in a branch that is not taken,
  /// the launch does not check the tensor, and the kernel must not read it.
  Guard used = Guard::Always();
  /// For a view that index expressions describe: what it reads. Set by the pass index_reads.
  std::optional<IndexedRead> read;
};

/// A scalar that is the same for all elements. The host computes it once per launch; the emitted
/// Plan has it in the struct Scalars.
struct HostScalar {
  std::string name;  ///< "one_minus_beta1"
  Type type;
  Expr value;  ///< over kParam, kLocal, kDim, literals
};

/// A scalar condition, decided once per launch: a bool template parameter of the loop.
struct Condition {
  std::string name;  ///< "nesterov", emitted as kNesterov; no HostScalar has the same name
  Expr value;
  bool of_element = false;  ///< a spec's expression of elements had it: there integers wrap around
};

/// An operation for each element; steps run in order. Each operand is in a variable of its name,
/// its register. A kRead is the register's value at that point.
struct Step {
  enum Kind { kLet, kAssign, kReduce, kIf } kind;
  // kLet: a value used more than once. kAssign: the operand's register gets `value`. kReduce: the
  // reduction takes `value`.
  std::string name;    ///< kLet: the binding's name
  int let = -1;        ///< kLet: its index, which Node::index of a kLet names
  int operand = -1;    ///< kAssign: index into Plan::operands
  int reduction = -1;  ///< kReduce: index into Plan::reductions
  Expr value;  ///< over kRead (by param index and axes), kHoisted, kCondition, kLet, literals
  int statement = 0;   ///< the statement's number, for the comment at the end of the line
  bool again = false;  ///< kAssign to a row buffer: runs only where rows have no buffer
  // kIf: index into Plan::conditions, and the branches, of which one may be empty
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

/// A reduction of the elements that have the same coordinates along the axes Plan::kept. All that a
/// kernel has are in one order, but for the leaves of another kernel.
struct Reduction {
  std::string name;
  Op op;
  Type type;
  Order order;   ///< in which it combines elements: the bits of the result depend on it
  int own = -1;  ///< a reducer of the spec's own: index into Rule::reducers; -1: none
  /// If the results are leaves of a reduction of another kernel (Plan::leaves): that reduction, an
  /// index into the other Plan's reductions. There is then a result in memory for each column of
  /// each kColumnLeaf rows (detail/row_tree.h). -1: the results are the kernel's own.
  int leaf_of = -1;
  bool is_leaf() const { return leaf_of >= 0; }
};

/// The leaves of another kernel's reductions, which a kernel over the same rows can compute instead
/// while it has the elements in registers. A launch decides whether it does.
struct Leaves {
  bool of_next;  ///< leaves of the kernel of the next stage; false: of the stage before
  /// Pairs of arguments, indices into Rule::params. If the memory of one pair overlaps, each kernel
  /// must do all of its own.
  std::vector<std::pair<int, int>> apart;
  int bytes;  ///< bytes that the other kernel need not move, for each element of the first instance
};

/// A row of an operand that a CPU's loop prefetches while it computes.
struct Prefetch {
  int operand;  ///< index into Plan::operands
  bool next;    ///< true: the operand's next row; false: this one
};

/// A part of a kernel that reduces: a pass over the elements, or an epilogue, which computes with
/// the reduced values after a pass. A phase works on a row, a channel, some columns, or everything.
struct Phase {
  /// How a phase uses an operand or a reduction.
  struct Use {
    int index;           ///< into Plan::operands, or Plan::reductions
    bool load = false;   ///< operands: some variant reads the value from before the phase
    Guard store;         ///< operands: when the value is stored; reductions: when the term is added
    bool again = false;  ///< a row buffer of an earlier pass: loaded or computed again
  };
  bool is_sweep;
  std::vector<Step> steps;
  std::vector<Use> operands;    ///< of a pass: elements, in the order of Plan::operands
  std::vector<Use> reductions;  ///< of a pass, in the order of Plan::reductions
  std::vector<Use> values;      ///< operands with one value that the phase reads or computes
  // Decided by the pass schedule, for passes over elements.
  bool stores_non_temporal = false;  ///< it stores the operand Schedule::non_temporal
  /// For a reduction to columns: whether a CPU reads one packet of columns in four rows at a time,
  /// instead of all packets of one row. False if a row has a value or a view's window of its own:
  /// each packet would compute that anew. False if the pass stores, too: to write four rows in turn
  /// takes up to twice as long as to write one.
  bool takes_four_rows = false;
  /// The operands of a reduction to columns of which a CPU may take several leaves as one run of
  /// elements: all that the pass uses but scalars. Empty: some part of the pass depends on the row
  /// or the column.
  std::vector<int> runs_of;
  std::vector<Prefetch> prefetches;
  /// Values of a row, indices into Plan::operands, that it uses only to divide floats by. The loop
  /// computes the reciprocal of each once; quotients keep their bits (packet/divisor.inc).
  std::set<int> divisors;
};

/// How a launch on a CPU chooses its instruction set (mshadow/isa.h).
enum class IsaPolicy {
  kWidest,  ///< ActiveIsa
  kDivide,  ///< IsaToDivide: the loop waits for quotients and square roots
  kMove,    ///< IsaToMove, by the bytes of a launch: the loop mostly moves memory
  kCopy,    ///< IsaToCopy: likewise, and it never reads what it writes
};
std::string_view IrName(IsaPolicy policy);

/// A level of a kernel's loops, which goes over the coordinates along some axes.
struct Loop {
  enum How : unsigned {
    kThreads = 1,  ///< threads, or the thread groups of a GPU, share its iterations
    /// Threads share chunks of it, and what they reduce these to is combined. If values of channels
    /// are outside, only a GPU does that.
    kChunks = 2,
    kPackets = 4,   ///< neighbours along the last axis are the lanes of a packet
    kSeveral = 8,   ///< a thread may take several iterations together, as they lie in memory
    kInOrder = 16,  ///< an iteration continues what the one before it has scanned
  };
  Axes axes;
  unsigned how = 0;  ///< some of these
  bool has(How some) const { return (how & some) != 0; }
};

/// How a kernel runs, apart from its steps. The pass schedule decides it, back ends print it.
struct Schedule {
  /// The loops around the steps, outermost first. The outer one goes over the axes of the kernel's
  /// values, Plan::kept, the inner one over the others.
  std::vector<Loop> loops;
  bool has_chunks() const { return !loops.empty() && loops.back().has(Loop::kChunks); }
  /// The operand that a CPU's loops write with non-temporal stores if the launch moves at least
  /// StreamingBytes(): index into Plan::operands; -1: none.
  int non_temporal = -1;
  IsaPolicy isa = IsaPolicy::kWidest;
  /// Whether, on a CPU, quotients and square roots take longer than all else that the loop
  /// computes.
  bool waits_for_divider = false;
  /// Whether the AVX-512 region has the loop twice, in packets of 64 bytes and of 32: for loops
  /// that mostly move memory. Packets of 64 bytes are faster there only for data in the core's
  /// L1 cache.
  bool has_short_packets = false;
  /// The elements of a row, if the spec says that they are few, and row y of each operand has a
  /// fixed place: a CPU's packets then go over several rows. 0: packets end with their row.
  int short_rows = 0;
  /// Whether the launch takes the rows of a plane, such as those of an image, as one row, if they
  /// follow each other without gaps in all tensors.
  bool joins_rows = false;
  /// The operands that a CPU reads in tiles, since neighbours in a row of the kernel are in
  /// different rows of the tensor: indices into Plan::operands. All have one type.
  std::vector<int> tiled;
  int tiled_along = -1;  ///< the axis along which their neighbours are neighbours in memory
  /// Whether a CPU takes short rows of a tile as one, if they follow each other without gaps in all
  /// other tensors.
  bool joins_tiled = false;
  bool is_tiled(int operand) const {
    return std::find(tiled.begin(), tiled.end(), operand) != tiled.end();
  }
  /// How many views a CPU reads in short rows: it copies the rows one behind the other, and takes
  /// them as one. They must follow each other without gaps in all tensors. 0: none; else all views.
  int collected = 0;
  /// The view `scatter_columns(…)` of a kernel over elements that loads nothing else: an index into
  /// Plan::operands. A CPU then computes each element from 0, and computes and stores those again
  /// that have a value. -1: the kernel is none of these.
  int scattered = -1;
  // For kernels on a GPU that reduce nothing:
  int threads = 0;  ///< threads of a block
  int lanes = 0;    ///< the most elements of a vector
  int vectors = 0;  ///< vectors that a thread loads before it computes
  int waves = 0;    ///< the most blocks, as a multiple of those that the device runs at once
};

/// Two parameters, and whether they may alias.
struct AliasRule {
  int written;  ///< index into Rule::params
  int other;
  bool same_allowed;  ///< they may be one tensor: then, too, the result is that of the unfused run
};

/// A reduction to an index. The type of the reduced elements must be able to represent all indices.
struct Count {
  std::string name;  ///< the result's name, for messages
  Type type;         ///< the type of the reduced elements
  Guard used;        ///< when the indices are computed
};

/// A tensor of which a launch checks only the shape.
struct Fitting {
  /// One of Statement::fitting. Or a kDim of several dimensions: along these the tensor has the
  /// kernel's extents.
  Expr tensor;
  Guard used;   ///< as Operand::used
};

/// Tensors that must have the same extents along some dimensions. Along all of them: the statement
/// uses their `FlatTo2D()` (Statement::flattened). Along several: one of them has the values that
/// the other takes. Along one: the spec says by that extent how often it repeats a vector.
struct SameShape {
  std::vector<int> tensors;
  Guard used;                 ///< when a statement runs for which they must
  Axes axes = Axes::Every();  ///< the dimensions with those extents
};

/// A call of the runtime between kernels: a matrix product, `target saver scale * dot(left,
/// right)`, a scatter-add, `AddTakeGrad(target, left, right)`, or a sort of rows, `TopK(target,
/// sort.columns, left)`.
struct StageCall {
  Statement::Kind kind;  ///< kProduct, kScatter or kSort
  int statement;
  int target;  ///< index into Rule::params, as Factor::tensor
  Saver saver;
  Factor left, right;
  bool clips;          ///< of a scatter-add: Statement::clips
  Sort sort;           ///< of a sort: Statement::sort
  int scale = -1;      ///< of a product: index into Plan::scalars; -1: 1
  int condition = -1;  ///< index into Plan::conditions: only where that holds; -1: always

  /// The tensors that it reads and those that it writes, indices into Rule::params.
  std::vector<int> sources() const;
  std::vector<int> targets() const { return sort.TargetsWith(target); }
};

/// The bytes that a call moves for each element: a scatter-add reads an element, and reads and
/// writes one of its target. A sort reads an element. What it writes is not counted, since it may
/// be few of them. Those of a product are not counted.
int BytesOf(const Rule &rule, const StageCall &call);

struct Plan;

/// A stage of a rule: a call of the runtime, or a kernel, which has a Plan of its own with the
/// rule's parameters and prologue.
struct PlanStage {
  std::optional<StageCall> call;
  std::vector<Plan> kernel;  ///< one Plan, unless it is a call
};

struct Plan {
  Rule rule;  ///< signature, prologue, instances, statements' texts
  /// The stages, if there are any: then the Plan has no steps itself. Its operands are those of all
  /// stages, its scalars and conditions those of the calls.
  std::vector<PlanStage> stages;
  std::string stage_of;  ///< for a stage's kernel: the name of its rule; else ""
  /// The axes of the kernel's values: the results of reductions, and the vectors that it computes.
  /// Loops over these axes are the outer loops, unless the last axis is one of them: then each
  /// packet has values of its own. A kernel without values keeps every axis.
  Axes kept;
  std::vector<Operand> operands;
  std::vector<HostScalar> scalars;
  std::vector<Condition> conditions;
  Guard runs;               ///< when the launch writes something
  std::vector<Step> steps;  ///< for every element, unless the rule has phases
  std::vector<Reduction> reductions;
  std::vector<Phase> phases;     ///< in order; only of a kernel with values
  std::optional<Leaves> leaves;  ///< if some `reductions` compute leaves of another kernel
  /// Whether another kernel can compute the leaves of this kernel's reductions. A launch may then
  /// leave out the first phase.
  bool takes_leaves = false;
  /// Whether the kernel reduces in no other order, leaves of another kernel aside.
  bool ReducesOnlyBy(Order order) const;
  /// The reducers of the rule's own that the kernel uses: indices into Rule::reducers.
  std::set<int> OwnReducers() const;
  /// Whether a reduction is the first phase's, index into `reductions`.
  bool IsInFirstPhase(int reduction) const;
  Schedule schedule;
  std::vector<AliasRule> aliases;
  std::vector<Fitting> fitting;  ///< arguments that are not operands, each once
  /// If the Plan has stages, the arguments among these tensors.
  std::vector<SameShape> same_shapes;
  std::vector<Count> counts;

  /// The types of all values of an element that the loop computes. A packet has as many lanes as a
  /// vector has elements of the widest of these types.
  std::vector<Type> lane_types;
  bool uses_place = false;    ///< kAtColumn occurs, or a kIndex for which uses_numbers is not set:
                              ///< rows are not merged
  bool uses_numbers = false;  ///< a kIndex is the index of an element among all that are reduced to
                              ///< one value, or to the value of a channel
  bool uses_views = false;    ///< a view is an operand: on a GPU rows are not merged
  bool uses_math = false;     ///< an elementary function occurs (IsElementary)
  bool scans = false;         ///< a scan occurs: a sweep takes the elements of a row in their order
  std::vector<std::string> lanewise_calls;  ///< functions of libm, called lane by lane

  // For messages: bytes that the rule moves for each element of the first instance, fused and
  // unfused, and the unfused rule's passes over memory.
  int bytes = 0;
  int unfused_bytes = 0;
  int unfused_passes = 0;

  bool is_staged() const { return !stages.empty(); }
  bool is_stage() const { return !stage_of.empty(); }
  /// The name in messages: for a stage, its rule's.
  const std::string &title() const { return is_stage() ? stage_of : rule.name; }
  /// Whether a launch may merge all rows into one, if each tensor is one run of memory.
  bool may_collapse() const {
    return !kept.is_rows() && kept != Axes::Last() && !uses_place && !finds_rows_of_views() &&
           schedule.short_rows == 0;
  }
  /// The same on a GPU, where an element of a view is found by its row and column.
  bool may_collapse_on_gpu() const { return may_collapse() && !uses_views; }
  /// Whether a read with these axes reads a column's value.
  bool IsOfColumn(Axes axes) const { return kept.has_last() && axes == kept; }
  /// Whether CPUs, too, evaluate views row by row: if the kernel has values, or an operand is a
  /// slice of an inner dimension or an indexed read that is not counted. Otherwise tensors that are
  /// one run of memory are one row, and one evaluation of a view may go past the end of a row.
  bool finds_rows_of_views() const;
  /// Whether an operand is a row buffer: no tensor, but values that one pass over a row computes
  /// and a CPU stores for later passes, if the row is not too long. Made by the pass buffer.
  bool IsRowBuffer(int operand) const {
    return !kept.is_every() && operands[operand].is_temporary && operands[operand].axes.is_every();
  }
  bool has_row_buffers() const;
  /// Whether a read with these axes reads a value, which a row, column or channel has, or the whole
  /// tensor. Otherwise it reads an element of a pass.
  bool IsValue(Axes axes) const;
  /// The passes over the elements of a row, of columns, of a channel or of all; 0 if nothing is
  /// reduced.
  int sweeps() const;
  /// Whether the operand's value must be kept: some phase reads what an earlier phase computed.
  bool IsKept(int operand) const;
  /// The passes over memory.
  int passes() const;
  /// The stages that are calls of this kind.
  int CountCalls(Statement::Kind kind) const;
  /// The view that an operand reads, evaluated by its own Plan; null for tensors and slices.
  const View *ViewOf(int operand) const {
    const Param &param = rule.params[operands[operand].param];
    return param.view && !param.is_part() ? &*param.view : nullptr;
  }
  /// The slice that an operand is; null if it is none.
  const View *PartOf(int operand) const {
    const Param &param = rule.params[operands[operand].param];
    return param.is_part() ? &*param.view : nullptr;
  }
  /// When the kernel, where it runs, uses an operand. As a stage it runs only if `runs` holds.
  Guard UsedWhereRun(int operand) const;
  /// The operand that a kRead of `param` with these axes reads; -1: none.
  int FindOperand(int param, Axes axes = Axes::Every(), int by = -1) const;
  /// The tensors that only other kernels of the rule use, and when a launch writes what they must
  /// not overlap: they are in `aliases`, but they are neither operands nor in `fitting`.
  std::vector<std::pair<int, Guard>> Beside() const;
  /// The tensors that are in `fitting` and `same_shapes`, and when a launch compares their shapes.
  std::vector<std::pair<int, Guard>> Compared() const;
  /// The rows of matrices that vectors name, each once: those of operands, and those in `fitting`,
  /// which an operator ignores. A launch checks the indices of both, as unfused code does.
  std::vector<int> NamedRows() const;
  int FindOperand(const Node &read) const { return FindOperand(read.index, read.axes, read.by); }
  /// Whether this kIndex counts rows, rather than the elements of a row.
  bool CountsRows(const Node &index) const;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_PLAN_H_
