// SPDX-License-Identifier: Apache-2.0
/// \file column_team.cuh
/// Kernels of rules that reduce columns. A team of kRowLanes * slots threads takes kRowLanes of
/// them side by side: thread t has column t % kRowLanes, and of that the leaf t / kRowLanes and
/// every slots-th one after it, so that a column is reduced in the order of row_tree.h whatever the
/// number of slots. Columns with few leaves have small teams, several of them in a block.
#ifndef MSHADOW_CUDA_COLUMN_TEAM_CUH_
#define MSHADOW_CUDA_COLUMN_TEAM_CUH_

#include "mshadow/cuda/phase_team.cuh"

namespace mshadow {
namespace cuda {

/// The threads of some columns, which go on to others. All threads of a block go round together: a
/// thread without a column has the last one, without elements.
class ColumnTeam : public PhaseTeam {
 public:
  __device__ __forceinline__ ColumnTeam(const Parts &parts, index_t cols, index_t phase)
      : PhaseTeam(parts, phase), cols_(cols), first_(static_cast<index_t>(blockIdx.x) * step()) {}

  __device__ __forceinline__ bool done() const { return first_ >= cols_; }
  __device__ __forceinline__ void next() { first_ += static_cast<index_t>(gridDim.x) * step(); }
  /// Whether there is a column for this thread, and it is to store its values.
  __device__ __forceinline__ bool stores() const { return has_column() && slot() == 0; }
  __device__ __forceinline__ index_t x() const { return has_column() ? column() : cols_ - 1; }
  /// Where an operand has its value for all.
  template <typename Operand>
  __device__ __forceinline__ auto *ValueIn(const Operand &operand) const {
    return operand.row(0);
  }

  __device__ __forceinline__ bool has_column() const { return column() < cols_; }

  /// Where a part's results for the team's columns are. There are as many in a row as a block may
  /// have columns, or a multiple of that.
  template <typename T>
  __device__ __forceinline__ T *at(T *results, index_t part) const {
    return results + part * Width(cols_) + first_ + team() * kRowLanes;
  }
  MSHADOW_XINLINE static index_t Width(index_t cols) {
    return (cols + kRowThreads - 1) / kRowThreads * kRowThreads;
  }

 private:
  /// Columns of a block.
  __device__ __forceinline__ static index_t step() {
    return static_cast<index_t>(blockDim.y) * kRowLanes;
  }
  __device__ __forceinline__ index_t column() const { return first_ + team() * kRowLanes + lane(); }

  index_t cols_;
  index_t first_;  ///< column of the block's first thread
};

/// The leaves of a column that are in the team's part, `slots` of them at a time:
///
///     for (ColumnLeaves leaf(team); !leaf.done(); leaf.next())
///       for (index_t y = leaf.begin(); y < leaf.end(); ++y) … element y …
class ColumnLeaves {
 public:
  __device__ __forceinline__ explicit ColumnLeaves(const ColumnTeam &team)
      : team_(team), first_(team.begin()), end_(team.end()) {}
  __device__ __forceinline__ bool done() const { return first_ >= end_; }
  __device__ __forceinline__ void next() { first_ += team_.slots() * kColumnLeaf; }
  __device__ __forceinline__ index_t begin() const { return first_ + team_.slot() * kColumnLeaf; }
  __device__ __forceinline__ index_t end() const {
    return team_.has_column() && begin() < end_ ? ColumnLeafEnd(begin(), end_) : 0;
  }
  /// How many leaves there are from the first one of this round.
  __device__ __forceinline__ index_t left() const {
    return (end_ - first_ + kColumnLeaf - 1) / kColumnLeaf;
  }

 private:
  const ColumnTeam &team_;
  index_t first_;  ///< row of the first slot's leaf
  index_t end_;
};

}  // namespace cuda

namespace packet {
namespace device {

/// A column's value: each of its threads has it in a register.
template <typename T>
struct ColumnValue {
  const cuda::ColumnTeam &team;
  T *row;  ///< the values of all columns, or null
  Vec<std::remove_const_t<T>, 1> value;

  __device__ __forceinline__ auto operator[](const At<1, AllLanes> &) const { return value; }
  template <typename Value>
  __device__ __forceinline__ void Put(const At<1, AllLanes> &i, const Value &given) {
    value = given;
    if (row != nullptr && team.stores()) Store(row + i.x, given, AllLanes());
  }
};

/// The elements of a leaf that are one thread's: of one column.
class RowsOfColumn : public OperandRows {
 public:
  __device__ __forceinline__ RowsOfColumn(index_t x, index_t begin, index_t end)
      : OperandRows(begin), x_(x), end_(end) {}
  __device__ __forceinline__ bool done() const { return y_ >= end_; }
  __device__ __forceinline__ void next() { ++y_; }

  /// The value of an operand that has one for each row.
  template <typename Operand>
  __device__ __forceinline__ auto ValueOf(const Operand &operand) const {
    return Broadcast<1>(*operand.row(y_));
  }
  /// step(At, accumulators…), where the accumulators are the thread's own.
  template <typename Step, typename... Reductions>
  __device__ __forceinline__ void Sweep(const Step &step, Reductions &...reductions) const {
    step(At<1, AllLanes>{x_, {}}, reductions.part()...);
  }
  /// A GPU's caches need not be passed by.
  template <typename T, typename Step, typename... Reductions>
  __device__ __forceinline__ void Sweep(const OperandRow<T> &, bool, const Step &step,
                                        Reductions &...reductions) const {
    Sweep(step, reductions...);
  }

 protected:
  const index_t x_;
  index_t end_;
};

/// The leaves of a column that are one slot's.
class LeavesOfColumn : public cuda::ColumnLeaves {
 public:
  explicit __device__ __forceinline__ LeavesOfColumn(const cuda::ColumnTeam &team)
      : ColumnLeaves(team), x_(team.x()) {}
  __device__ __forceinline__ RowsOfColumn rows() const { return {x_, begin(), end()}; }
  __device__ __forceinline__ RowsOfColumn fours() const { return rows(); }

 private:
  const index_t x_;
};

/// The elements of a part that are one thread's, where nothing is reduced.
class RowsOfLeaves : public RowsOfColumn {
 public:
  explicit __device__ __forceinline__ RowsOfLeaves(const cuda::ColumnTeam &team)
      : RowsOfColumn(team.x(), 0, 0), leaf_(team) {
    Begin();
  }
  __device__ __forceinline__ bool done() const { return leaf_.done(); }
  __device__ __forceinline__ void next() {
    if (++y_ < end_) return;
    leaf_.next();
    Begin();
  }

  /// step(At). A GPU's caches need not be passed by.
  template <typename Out, typename Step>
  __device__ __forceinline__ void ForEach(const Out &, const Step &step, bool = false) const {
    step(At<1, AllLanes>{x_, {}});
  }

 private:
  /// Goes on to a leaf that has an element of this thread.
  __device__ __forceinline__ void Begin() {
    for (; !leaf_.done(); leaf_.next()) {
      y_ = leaf_.begin();
      end_ = leaf_.end();
      if (y_ < end_) return;
    }
  }

  cuda::ColumnLeaves leaf_;
};

/// The columns of a team, of which each thread has one.
class ColumnsOfTeam : public PhasesOfTeam<cuda::ColumnTeam> {
 public:
  __device__ __forceinline__ ColumnsOfTeam(const Parts &parts, index_t cols, index_t phase)
      : PhasesOfTeam(cuda::ColumnTeam(parts, cols, phase)) {}
  __device__ __forceinline__ LeavesOfColumn leaves() const { return LeavesOfColumn(team()); }
  __device__ __forceinline__ RowsOfLeaves rows() const { return RowsOfLeaves(team()); }

  /// The value of an operand that has one for each column.
  template <typename Operand>
  __device__ __forceinline__ auto Of(const Operand &operand) const {
    return Loaded(operand.row(0));
  }
  /// The same of what a phase gives: where an earlier launch did that, it is loaded.
  template <typename Operand>
  __device__ __forceinline__ auto Given(index_t phase, const Operand &operand) const {
    return team().is_behind(phase) ? Loaded(operand.row(0)) : ToBeGiven(operand.row(0));
  }
  /// Of what is kept, which has memory where a launch does one phase.
  template <typename T>
  __device__ __forceinline__ auto Given(index_t phase, T *kept) const {
    if (team().is_behind(phase)) return Loaded(kept);
    return ToBeGiven(team().does_one() ? kept : nullptr);
  }
  /// step(At) for the thread's column.
  template <typename Step>
  __device__ __forceinline__ void ForEach(const Step &step) const {
    step(At<1, AllLanes>{team().x(), {}});
  }

 private:
  template <typename T>
  __device__ __forceinline__ ColumnValue<T> Loaded(T *row) const {
    return {team(), row, Load<1>(row + team().x(), AllLanes())};
  }
  template <typename T>
  __device__ __forceinline__ ColumnValue<T> ToBeGiven(T *row) const {
    return {team(), row, {}};
  }
};

/// One reduction of each column of a team.
template <typename Reducer, typename T, int N>
class ColumnReduction : public RowReduction<Reducer, T, N> {
 public:
  using RowReduction<Reducer, T, N>::RowReduction;
  __device__ __forceinline__ auto Finish(const At<1, AllLanes> &) { return this->FinishColumn(); }
};

}  // namespace device
}  // namespace packet

namespace cuda {

/// Launches `kernel(plan)` with a team for every kRowLanes columns of each part: LaunchPhases.
template <typename Plan, typename... Pointers>
void LaunchColumns(const char *rule, void (*kernel)(Plan), const Plan &plan, void *stream,
                   std::initializer_list<bool> phases, Pointers Plan::Kept::*...kept) {
  const index_t teams = (plan.cols + kRowLanes - 1) / kRowLanes;
  Plan run = plan;
  run.parts = ShareOut(plan.rows, kColumnLeaf, teams);
  LaunchPhases(rule, kernel, run, stream, teams, kColumnLeaf, phases,
               run.parts.count * ColumnTeam::Width(plan.cols), kept...);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_COLUMN_TEAM_CUH_
