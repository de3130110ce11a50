// SPDX-License-Identifier: Apache-2.0
/// \file column_team.cuh
/// Kernels of rules that reduce columns. A team of kRowLanes * slots threads takes kRowLanes of
/// them side by side: thread t has column t % kRowLanes, and of that the leaf t / kRowLanes and
/// every slots-th one after it, so that a column is reduced in the order of row_tree.h whatever the
/// number of slots. Columns with few leaves have small teams, several of them in a block.
#ifndef MSHADOW_CUDA_COLUMN_TEAM_CUH_
#define MSHADOW_CUDA_COLUMN_TEAM_CUH_

#include <type_traits>

#include "mshadow/cuda/phase_team.cuh"

namespace mshadow {
namespace cuda {

/// The threads of some columns, which go on to others. All threads of a block go round together: a
/// thread without a column has the last one, without elements.
/// \tparam kSeveral whether there may be several matrices: of one a thread needs fewer registers
template <bool kSeveral>
class ColumnTeam : public PhaseTeam {
 public:
  __device__ __forceinline__ ColumnTeam(const Parts &parts, const ColumnShape &shape, index_t phase)
      : PhaseTeam(parts, phase),
        shape_(shape),
        columns_(kSeveral ? shape.size() : shape.cols),
        first_(static_cast<index_t>(blockIdx.x) * step()) {}

  __device__ __forceinline__ bool done() const { return first_ >= columns_; }
  __device__ __forceinline__ void next() { first_ += static_cast<index_t>(gridDim.x) * step(); }
  /// Whether there is a column for this thread, and it is to store its values.
  __device__ __forceinline__ bool stores() const { return has_column() && slot() == 0; }
  /// The thread's column, among those of all matrices; and in a row of memory.
  __device__ __forceinline__ index_t number() const {
    return has_column() ? column() : columns_ - 1;
  }
  __device__ __forceinline__ index_t x() const {
    if constexpr (kSeveral)
      return number() - matrix() * shape_.cols;
    else
      return number();
  }
  /// Rows [begin, end) of the thread's matrix.
  __device__ __forceinline__ RowsOfMatrix Rows(index_t begin, index_t end) const {
    if constexpr (kSeveral)
      return shape_.Rows(matrix(), begin, end);
    else
      return {begin, end, 1};
  }
  /// Where an operand has its value for all.
  template <typename Operand>
  __device__ __forceinline__ auto *ValueIn(const Operand &operand) const {
    return operand.row(0);
  }

  __device__ __forceinline__ bool has_column() const { return column() < columns_; }

  /// Where a part's results for the team's columns are. There are as many in a row as a block may
  /// have columns, or a multiple of that.
  template <typename T>
  __device__ __forceinline__ T *at(T *results, index_t part) const {
    return results + part * Width(columns_) + first_ + team() * kRowLanes;
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

  __device__ __forceinline__ index_t matrix() const { return number() / shape_.cols; }

  /// What a team keeps of the shape of one matrix: a reference that it never reads costs registers.
  struct Nothing {
    __device__ __forceinline__ Nothing(const ColumnShape &) {}  // NOLINT(runtime/explicit)
  };

  const std::conditional_t<kSeveral, const ColumnShape &, Nothing> shape_;
  const index_t columns_;  ///< of all matrices
  index_t first_;          ///< column of the block's first thread
};

/// The leaves of a column that are in the team's part, `slots` of them at a time:
///
///     for (ColumnLeaves leaf(team); !leaf.done(); leaf.next())
///       for (index_t y = leaf.begin(); y < leaf.end(); ++y) … element y …
template <bool kSeveral>
class ColumnLeaves {
 public:
  __device__ __forceinline__ explicit ColumnLeaves(const ColumnTeam<kSeveral> &team)
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
  __device__ __forceinline__ const ColumnTeam<kSeveral> &team() const { return team_; }

 private:
  const ColumnTeam<kSeveral> &team_;
  index_t first_;  ///< row of the first slot's leaf
  index_t end_;
};

}  // namespace cuda

namespace packet {
namespace device {

/// A column's value: each of its threads has it in a register.
template <typename T, bool kSeveral>
struct ColumnValue {
  const cuda::ColumnTeam<kSeveral> &team;
  T *row;  ///< the values of the matrix' columns, or null
  Vec<std::remove_const_t<T>, 1> value;

  __device__ __forceinline__ auto operator[](const At<1, AllLanes> &) const { return value; }
  template <typename Value>
  __device__ __forceinline__ void Put(const At<1, AllLanes> &i, const Value &given) {
    value = given;
    if (row != nullptr && team.stores()) Store(row + i.x, given, AllLanes());
  }
};

/// The elements of a leaf that are one thread's: of one column.
template <bool kSeveral>
class RowsOfColumn : public OperandRows {
 public:
  __device__ __forceinline__ RowsOfColumn(index_t x, const RowsOfMatrix &rows)
      : OperandRows(rows.begin), x_(x), end_(rows.end), step_(rows.step) {}
  __device__ __forceinline__ bool done() const { return y_ >= end_; }
  __device__ __forceinline__ void next() { y_ += kSeveral ? step_ : 1; }

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
  index_t end_, step_;
};

/// The leaves of a column that are one slot's.
template <bool kSeveral>
class LeavesOfColumn : public cuda::ColumnLeaves<kSeveral> {
 public:
  explicit __device__ __forceinline__ LeavesOfColumn(const cuda::ColumnTeam<kSeveral> &team)
      : cuda::ColumnLeaves<kSeveral>(team), x_(team.x()) {}
  __device__ __forceinline__ RowsOfColumn<kSeveral> rows() const {
    return {x_, this->team().Rows(this->begin(), this->end())};
  }
  __device__ __forceinline__ RowsOfColumn<kSeveral> fours() const { return rows(); }

 private:
  const index_t x_;
};

/// The elements of a part that are one thread's, where nothing is reduced.
template <bool kSeveral>
class RowsOfLeaves : public RowsOfColumn<kSeveral> {
 public:
  explicit __device__ __forceinline__ RowsOfLeaves(const cuda::ColumnTeam<kSeveral> &team)
      : RowsOfColumn<kSeveral>(team.x(), {0, 0, 1}), leaf_(team) {
    Begin();
  }
  __device__ __forceinline__ bool done() const { return leaf_.done(); }
  __device__ __forceinline__ void next() {
    RowsOfColumn<kSeveral>::next();
    if (this->y_ < this->end_) return;
    leaf_.next();
    Begin();
  }

  /// step(At). A GPU's caches need not be passed by.
  template <typename Out, typename Step>
  __device__ __forceinline__ void ForEach(const Out &, const Step &step, bool = false) const {
    step(At<1, AllLanes>{this->x_, {}});
  }

 private:
  /// Goes on to a leaf that has an element of this thread.
  __device__ __forceinline__ void Begin() {
    for (; !leaf_.done(); leaf_.next()) {
      const RowsOfMatrix rows = leaf_.team().Rows(leaf_.begin(), leaf_.end());
      this->y_ = rows.begin;
      this->end_ = rows.end;
      this->step_ = rows.step;
      if (rows.begin < rows.end) return;
    }
  }

  cuda::ColumnLeaves<kSeveral> leaf_;
};

/// The columns of a team, of which each thread has one.
template <bool kSeveral>
class ColumnsOfMatrices : public PhasesOfTeam<cuda::ColumnTeam<kSeveral>> {
 public:
  using PhasesOfTeam<cuda::ColumnTeam<kSeveral>>::team;

  __device__ __forceinline__ ColumnsOfMatrices(const Parts &parts, const ColumnShape &shape,
                                               index_t phase)
      : PhasesOfTeam<cuda::ColumnTeam<kSeveral>>({parts, shape, phase}) {}
  __device__ __forceinline__ LeavesOfColumn<kSeveral> leaves() const {
    return LeavesOfColumn<kSeveral>(team());
  }
  __device__ __forceinline__ RowsOfLeaves<kSeveral> rows() const {
    return RowsOfLeaves<kSeveral>(team());
  }

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
  __device__ __forceinline__ ColumnValue<T, kSeveral> Loaded(T *row) const {
    return {team(), OfMatrix(row), Load<1>(row + team().number(), AllLanes())};
  }
  template <typename T>
  __device__ __forceinline__ ColumnValue<T, kSeveral> ToBeGiven(T *row) const {
    return {team(), row == nullptr ? row : OfMatrix(row), {}};
  }
  /// The values of the thread's matrix among those of all.
  template <typename T>
  __device__ __forceinline__ T *OfMatrix(T *row) const {
    return kSeveral ? row + (team().number() - team().x()) : row;
  }
};

using ColumnsOfTeam = ColumnsOfMatrices<false>;

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
  const index_t columns = plan.columns.size(), teams = (columns + kRowLanes - 1) / kRowLanes;
  Plan run = plan;
  run.parts = ShareOut(plan.columns.rows, kColumnLeaf, teams);
  LaunchPhases(rule, kernel, run, stream, teams, kColumnLeaf, phases,
               run.parts.count * ColumnTeam<false>::Width(columns), kept...);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_COLUMN_TEAM_CUH_
