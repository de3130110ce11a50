// SPDX-License-Identifier: Apache-2.0
#include "passes/schedule.h"

#include <algorithm>
#include <utility>

#include "ir/walk.h"
#include "passes/division.h"
#include "passes/joined_rows.h"
#include "passes/prefetch.h"
#include "passes/row_blocks.h"
#include "passes/scattered.h"
#include "passes/short_rows.h"
#include "passes/tiles.h"

namespace mgen {
namespace {

/// The sweep's use of an operand, or null.
const Phase::Use *UseOf(const Phase &phase, int operand) {
  const auto use = std::find_if(phase.operands.begin(), phase.operands.end(),
                                [operand](const Phase::Use &u) { return u.index == operand; });
  return use == phase.operands.end() ? nullptr : &*use;
}

bool IsOnlyWritten(const Plan &plan, int operand) {
  const Operand &o = plan.operands[operand];
  if (!o.axes.is_every() || o.is_temporary || o.load || o.store.never()) return false;
  if (!plan.rule.params[o.param].has_even_rows()) return false;
  return std::all_of(plan.phases.begin(), plan.phases.end(), [operand](const Phase &phase) {
    const Phase::Use *const use = UseOf(phase, operand);
    return use == nullptr || !use->load;
  });
}

/// An operand that the kernel writes and never reads, in packets that do not straddle a boundary of
/// its rows; -1 if there is none.
int NonTemporalOf(const Plan &plan) {
  if (plan.schedule.scattered >= 0) return -1;  // some elements are stored twice
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const int operand = static_cast<int>(i);
    if (!plan.ViewOf(operand) && IsOnlyWritten(plan, operand)) return operand;
  }
  return -1;
}

/// Whether a quotient or a root is among the operations done for each element.
bool Divides(const Plan &plan) {
  bool divides = false;
  const auto visit = [&](const Step &step) {
    ForEachNode(step.value, [&](const Expr &node) {
      const Op op = node->op;
      divides = divides || op == Op::kDiv || op == Op::kRem || op == Op::kSqrt || op == Op::kRsqrt;
    });
  };
  ForEachStep(plan.steps, visit);
  for (const Phase &phase : plan.phases) {
    if (phase.is_sweep) ForEachStep(phase.steps, visit);
  }
  return divides;
}

/// Whether a phase is a pass that reduces columns, and computes nothing from an element's place.
bool ReducesColumns(const Plan &plan, const Phase &phase) {
  if (!plan.kept.has_last() || !phase.is_sweep || phase.reductions.empty()) return false;
  bool asks_for_place = false;
  ForEachStep(phase.steps, [&](const Step &step) {
    ForEachNode(step.value, [&](const Expr &node) {
      asks_for_place = asks_for_place || node->op == Op::kIndex || node->op == Op::kAtColumn;
    });
  });
  return !asks_for_place;
}

/// Whether an operand is a tensor whose rows have equal distances.
bool HasEvenRows(const Plan &plan, int operand) {
  return plan.ViewOf(operand) == nullptr &&
         plan.rule.params[plan.operands[operand].param].has_even_rows();
}

/// Whether a sweep that reduces columns can take four rows at a time: it uses no value of a row,
/// stores nothing, and the rows of its operands have equal distances.
bool TakesFourRows(const Plan &plan, const Phase &phase) {
  if (!ReducesColumns(plan, phase)) return false;
  const auto is_of_row = [&](const Phase::Use &use) {
    return plan.operands[use.index].axes.is_rows();
  };
  const auto is_stored_or_view = [&](const Phase::Use &use) {
    return !use.store.never() || !HasEvenRows(plan, use.index);
  };
  return std::none_of(phase.values.begin(), phase.values.end(), is_of_row) &&
         std::none_of(phase.operands.begin(), phase.operands.end(), is_stored_or_view);
}

/// Whether some reduction of a pass merges results by another formula than it reduces elements by.
bool HasOwnMerge(const Plan &plan, const Phase &phase) {
  return std::any_of(phase.reductions.begin(), phase.reductions.end(), [&](const Phase::Use &use) {
    const int own = plan.reductions[use.index].own;
    return own >= 0 && plan.rule.reducers[own].has_own_merge();
  });
}

/// Whether a pass has a term of each of its reductions for every element.
bool HasAllTerms(const Phase &phase) {
  const auto is_always = [](const Phase::Use &use) { return use.store.always(); };
  return std::all_of(phase.reductions.begin(), phase.reductions.end(), is_always) &&
         std::none_of(phase.steps.begin(), phase.steps.end(),
                      [](const Step &step) { return step.kind == Step::kIf; });
}

/// Computes Phase::runs_of.
std::vector<int> RunsOf(const Plan &plan, const Phase &phase) {
  const auto is_one_value = [&](const Phase::Use &use) {
    return plan.operands[use.index].axes.is_none();
  };
  if (!(plan.kept == Axes::Last()) || !ReducesColumns(plan, phase)) return {};
  if (!HasAllTerms(phase) || HasOwnMerge(plan, phase)) return {};
  if (!std::all_of(phase.values.begin(), phase.values.end(), is_one_value)) return {};
  std::vector<int> operands;
  for (const Phase::Use &use : phase.operands) {
    const Operand &operand = plan.operands[use.index];
    const bool is_matrix = operand.axes.is_every() && !operand.is_temporary;
    if (!is_matrix || !HasEvenRows(plan, use.index)) return {};
    operands.push_back(use.index);
  }
  return operands;
}

/// Whether the planes of channels may be taken in any order: nothing is reduced, and no channel's
/// value is stored.
bool TakesPlanes(const Plan &plan) {
  const auto is_stored = [](const Operand &operand) {
    return operand.axes.only() >= 0 && !operand.is_temporary && !operand.store.never();
  };
  return plan.kept.only() >= 0 && plan.reductions.empty() &&
         std::none_of(plan.operands.begin(), plan.operands.end(), is_stored);
}

/// Whether the planes of neighbouring channels are taken together, in the order of memory. This
/// pays where a kernel makes one pass: planes need not stay in the cache.
bool TakesBlocks(const Plan &plan) {
  return plan.kept.only() >= 0 && plan.sweeps() == 1 && plan.phases.front().is_sweep &&
         !plan.phases.front().reductions.empty();
}

/// The loops. Those over values are around those over the elements that are reduced to them, unless
/// there is a single value.
std::vector<Loop> LoopsOf(const Plan &plan) {
  const bool has_packets = plan.kept.is_every() || plan.kept.has_last();
  const bool has_blocks = plan.kept.is_every() && !plan.schedule.tiled.empty();
  const bool is_several = TakesBlocks(plan) || TakesRowsTogether(plan) || has_blocks;
  const Loop outer = {plan.kept, Loop::kThreads | (has_packets ? Loop::kPackets : 0u) |
                                     (is_several ? Loop::kSeveral : 0u)};
  if (plan.kept.is_every()) return {outer};
  const unsigned shared = TakesPlanes(plan)     ? Loop::kThreads
                          : plan.kept.is_rows() ? 0u
                                                : Loop::kChunks;
  const Loop inner = {plan.kept.Others(), shared | (has_packets ? 0u : Loop::kPackets) |
                                              (plan.scans ? Loop::kInOrder : 0u)};
  if (plan.kept.is_none()) return {inner};
  return {outer, inner};
}

/// Whether a view combines windows, repeats elements, or is of such a view: work for each packet.
bool CombinesWindows(const Plan &plan) {
  return std::any_of(plan.operands.begin(), plan.operands.end(), [](const Operand &operand) {
    const std::optional<IndexedRead> &read = operand.read;
    return operand.load && read && (read->computes_packets() || read->times > 1);
  });
}

/// Whether random numbers are among the operands: a hundred operations for each four elements.
bool Draws(const Plan &plan) {
  return std::any_of(plan.operands.begin(), plan.operands.end(), [&plan](const Operand &operand) {
    return plan.rule.params[operand.param].is_drawn();
  });
}

/// Whether the rule does little but move memory.
bool IsLight(const Plan &plan) {
  const bool moves = plan.kept.is_every() || TakesPlanes(plan) || TakesBlocks(plan);
  return moves && !plan.uses_math && plan.lanewise_calls.empty() && !Divides(plan) &&
         !CombinesWindows(plan) && !Draws(plan);
}

/// Whether a type that the rule names is one of \p are.
bool Names(const Plan &plan, bool (*are)(ScalarKind)) {
  return std::any_of(plan.operands.begin(), plan.operands.end(), [are](const Operand &operand) {
    return !operand.type.symbolic() && are(operand.type.kind);
  });
}
bool IsNoWideFloat(ScalarKind kind) { return !IsFloat(kind) || IsNarrowFloat(kind); }

/// Whether the rule writes without reading what it writes. If it reads that first, it is in L1 when
/// it is stored. Conversions of narrow floats gain by packets of 64 bytes.
bool Copies(const Plan &plan) {
  return plan.schedule.non_temporal >= 0 && plan.schedule.has_short_packets &&
         !Names(plan, IsNarrowFloat);
}

IsaPolicy IsaPolicyOf(const Plan &plan) {
  if (plan.schedule.waits_for_divider && !Names(plan, IsNoWideFloat)) return IsaPolicy::kDivide;
  if (!IsLight(plan)) return IsaPolicy::kWidest;
  return Copies(plan) ? IsaPolicy::kCopy : IsaPolicy::kMove;
}

// Bytes that a thread should load before it computes. With less in flight a GPU does not reach the
// bandwidth of its memory: an H200 needs 48 KB for each multiprocessor, which has 2048 threads.
constexpr int kBytesInFlight = 32;
constexpr int kVectorBytes = 16;
constexpr int kThreads = 256;
constexpr int kWaves = 32;

/// The vectors that a thread loads before it computes. Each operand that is read brings 16 bytes or
/// more.
int VectorsInFlight(const Plan &plan) {
  int loaded = 0;
  for (const Operand &operand : plan.operands) {
    if (operand.load && operand.axes.is_every()) loaded += kVectorBytes;
  }
  return loaded == 0 || plan.uses_math ? 1 : std::max(1, kBytesInFlight / loaded);
}

/// Whether a kernel evaluates the Plan of a view's expression, or of a part of that.
bool IsEvaluated(const Operand &operand) {
  bool is_evaluated = !operand.read;
  if (operand.read) {
    ForEachRead(*operand.read, [&](const IndexedRead &read) {
      is_evaluated = is_evaluated || read.computed.has_value();
    });
  }
  return is_evaluated;
}

/// Whether a view needs much code for each lane: loops and trees if it reduces, and code for each
/// rank if it is for any rank. With several lanes in a thread nvcc compiles several copies of this
/// code, which takes minutes. One lane in each thread accesses memory as well.
bool HasLongViews(const Plan &plan) {
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const View *view = plan.ViewOf(static_cast<int>(i));
    if (view == nullptr || !view->Drawn().empty() || !IsEvaluated(plan.operands[i])) continue;
    const bool is_for_any_rank = plan.rule.params[plan.operands[i].param].rank == Param::kRankParam;
    if (is_for_any_rank || view->text.find("mshadow::expr::reduce_") != std::string::npos) {
      return true;
    }
  }
  return false;
}

void ScheduleGpu(Plan *plan) {
  // An elementary function is a hundred instructions for each lane. More lanes would cost registers
  // and code, and gain nothing if arithmetic is the limit.
  const bool computes = plan->uses_math || Draws(*plan);
  plan->schedule.lanes = HasLongViews(*plan) ? 1 : computes ? 4 : 16;
  plan->schedule.threads = kThreads;
  plan->schedule.vectors = VectorsInFlight(*plan);
  plan->schedule.waves = kWaves;
}

}  // namespace

Plan SchedulePlan(Plan plan) {
  Schedule &schedule = plan.schedule;
  schedule.scattered = ScatteredOf(plan);
  schedule.non_temporal = NonTemporalOf(plan);
  for (Phase &phase : plan.phases) {
    const Phase::Use *const use = UseOf(phase, schedule.non_temporal);
    phase.stores_non_temporal = use != nullptr && !use->store.never();
    phase.takes_four_rows = TakesFourRows(plan, phase);
    phase.runs_of = RunsOf(plan, phase);
    phase.prefetches = PrefetchesOf(plan, phase);
    phase.divisors = DivisorsOf(plan, phase);
  }
  ScheduleTiles(&plan);
  schedule.loops = LoopsOf(plan);
  schedule.short_rows = ShortRowsOf(plan);
  schedule.joins_rows = JoinsRows(plan);
  schedule.joins_tiled = JoinsTiled(plan);
  schedule.collected = CollectedOf(plan);
  schedule.waits_for_divider = WaitsForDivider(plan);
  schedule.has_short_packets = IsLight(plan) && !TakesBlocks(plan);
  schedule.isa = IsaPolicyOf(plan);
  ScheduleGpu(&plan);
  return plan;
}

}  // namespace mgen
