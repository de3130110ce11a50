// SPDX-License-Identifier: Apache-2.0
/// \file column_team.cuh
/// Kernels of rules that reduce columns. A thread group has slots of kRowLanes threads, and takes
/// kRowLanes * N columns side by side. Each thread of a slot has N of these columns. Slot s takes
/// leaves s, s + slots, s + 2 * slots and so on. So a column is reduced in the order of row_tree.h,
/// whatever N and the number of slots. Columns with few leaves have small groups, several of them
/// in a block.
#ifndef MSHADOW_CUDA_COLUMN_TEAM_CUH_
#define MSHADOW_CUDA_COLUMN_TEAM_CUH_

#include <type_traits>

#include "mshadow/cuda/phase_team.cuh"

/// The least number of elements for which a thread reduces several columns. With fewer elements
/// there would not be enough threads. Tests set it.
#ifndef MSHADOW_VECTOR_ELEMENTS
#define MSHADOW_VECTOR_ELEMENTS (1 << 21)
#endif

namespace mshadow {
namespace cuda {

/// The thread group of some columns, which then goes on to others. All threads of a block go on
/// together. A thread for which no columns are left has the last columns, without their elements.
/// \tparam N how many columns a thread has: a divisor of the number of columns
/// \tparam kSeveral whether there may be several matrices: with one, a thread needs fewer registers
template <int N, bool kSeveral>
class ColumnTeam : public PhaseTeam {
 public:
  __device__ __forceinline__ ColumnTeam(const BlockOfCall &block, const Parts &parts,
                                        const ColumnShape &shape, index_t phase)
      : PhaseTeam(block, parts, phase),
        shape_(shape),
        columns_(kSeveral ? shape.size() : shape.cols),
        first_(block.x * step()) {}

  __device__ __forceinline__ bool done() const { return first_ >= columns_; }
  __device__ __forceinline__ void next() { first_ += blocks() * step(); }
  /// Whether this thread has columns, and is to store their values.
  __device__ __forceinline__ bool stores() const { return has_column() && slot() == 0; }
  /// The thread's first column, among those of all matrices; and in a row of memory.
  __device__ __forceinline__ index_t number() const {
    return has_column() ? column() : columns_ - N;
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
  /// The address of an operand's only value.
  template <typename Operand>
  __device__ __forceinline__ auto *ValueIn(const Operand &operand) const {
    return operand.row(0);
  }

  __device__ __forceinline__ bool has_column() const { return column() < columns_; }

  /// The address of a chunk's results for the group's columns. A row of results has room for a
  /// multiple of the columns that a block may take.
  template <typename T>
  __device__ __forceinline__ T *at(T *results, index_t part) const {
    return results + part * Width(columns_) + first_ + team() * kColumns;
  }
  MSHADOW_XINLINE static index_t Width(index_t cols) { return LeafWidth(gpu(), cols, N); }
  static constexpr int kColumns = kRowLanes * N;  ///< the columns of a thread group

 private:
  /// How many columns a block takes.
  __device__ __forceinline__ static index_t step() {
    return static_cast<index_t>(blockDim.y) * kColumns;
  }
  __device__ __forceinline__ index_t column() const {
    return first_ + team() * kColumns + lane() * N;
  }

  __device__ __forceinline__ index_t matrix() const { return number() / shape_.cols; }

  /// Stands for the shape if there is one matrix: a reference that is never read costs registers.
  struct Nothing {
    __device__ __forceinline__ Nothing(const ColumnShape &) {}  // NOLINT(runtime/explicit)
  };

  const std::conditional_t<kSeveral, const ColumnShape &, Nothing> shape_;
  const index_t columns_;  ///< the number of columns of all matrices
  index_t first_;          ///< the column of the block's first thread
};

/// Goes over the leaves of a column that are in the group's chunk, one for each slot in a round:
///
///     for (ColumnLeaves leaf(team); !leaf.done(); leaf.next())
///       for (index_t y = leaf.begin(); y < leaf.end(); ++y) … element y …
template <int N, bool kSeveral>
class ColumnLeaves {
 public:
  __device__ __forceinline__ explicit ColumnLeaves(const ColumnTeam<N, kSeveral> &team)
      : team_(team), first_(team.begin()) {}
  __device__ __forceinline__ bool done() const { return first_ >= team_.end(); }
  __device__ __forceinline__ void next() { first_ += team_.slots() * kColumnLeaf; }
  __device__ __forceinline__ index_t begin() const { return first_ + team_.slot() * kColumnLeaf; }
  __device__ __forceinline__ index_t end() const {
    return team_.has_column() && begin() < team_.end() ? ColumnLeafEnd(begin(), team_.end()) : 0;
  }
  /// How many leaves are left, including those of this round.
  __device__ __forceinline__ index_t left() const {
    return (team_.end() - first_ + kColumnLeaf - 1) / kColumnLeaf;
  }
  __device__ __forceinline__ const ColumnTeam<N, kSeveral> &team() const { return team_; }

 private:
  const ColumnTeam<N, kSeveral> &team_;
  index_t first_;  ///< the first row of the first slot's leaf
};

}  // namespace cuda

namespace packet {
namespace device {

/// The values of a thread's columns. Each thread of these columns has the values in registers.
template <typename T, int N, bool kSeveral>
struct ColumnValue {
  using Element = std::remove_const_t<T>;
  const cuda::ColumnTeam<N, kSeveral> &team;
  T *row;  ///< the values of the matrix' columns, or null
  Vec<std::remove_const_t<T>, N> value;

  __device__ __forceinline__ auto operator[](const At<N, AllLanes> &) const { return value; }
  template <typename Value>
  __device__ __forceinline__ void Put(const At<N, AllLanes> &i, const Value &given) {
    value = given;
    if (row != nullptr && team.stores()) Store(row + i.x, given, AllLanes());
  }
};

/// The elements of a leaf that one thread takes, of N columns.
template <int N, bool kSeveral>
class RowsOfColumn : public OperandRows {
 public:
  __device__ __forceinline__ RowsOfColumn(index_t x, const RowsOfMatrix &rows)
      : OperandRows(rows.begin), x_(x), end_(rows.end), step_(rows.step) {}
  __device__ __forceinline__ bool done() const { return y_ >= end_; }
  __device__ __forceinline__ void next() { y_ += kSeveral ? step_ : 1; }

  /// The value of an operand that has one value for each row.
  template <typename Operand>
  __device__ __forceinline__ auto ValueOf(const Operand &operand) const {
    return Broadcast<N>(*operand.row(y_));
  }
  /// Calls step(At, accumulators…). The accumulators are the thread's own.
  template <typename Step, typename... Reductions>
  __device__ __forceinline__ void Sweep(const Step &step, Reductions &...reductions) const {
    step(At<N, AllLanes>{x_, {}}, reductions.part()...);
  }
  /// The bool asks for non-temporal stores, which a GPU does not need.
  template <typename T, typename Step, typename... Reductions>
  __device__ __forceinline__ void Sweep(const OperandRow<T> &, bool, const Step &step,
                                        Reductions &...reductions) const {
    Sweep(step, reductions...);
  }

 protected:
  const index_t x_;
  index_t end_, step_;
};

/// The leaves of a column that one slot takes.
template <int N, bool kSeveral>
class LeavesOfColumn : public cuda::ColumnLeaves<N, kSeveral> {
 public:
  explicit __device__ __forceinline__ LeavesOfColumn(const cuda::ColumnTeam<N, kSeveral> &team)
      : cuda::ColumnLeaves<N, kSeveral>(team), x_(team.x()) {}
  __device__ __forceinline__ RowsOfColumn<N, kSeveral> rows() const {
    return {x_, this->team().Rows(this->begin(), this->end())};
  }
  __device__ __forceinline__ RowsOfColumn<N, kSeveral> fours() const { return rows(); }

 private:
  const index_t x_;
};

/// The elements of a chunk that one thread takes in a pass that reduces nothing.
template <int N, bool kSeveral>
class RowsOfLeaves : public RowsOfColumn<N, kSeveral> {
 public:
  explicit __device__ __forceinline__ RowsOfLeaves(const cuda::ColumnTeam<N, kSeveral> &team)
      : RowsOfColumn<N, kSeveral>(team.x(), {0, 0, 1}), leaf_(team) {
    Begin();
  }
  __device__ __forceinline__ bool done() const { return this->y_ >= this->end_; }
  __device__ __forceinline__ void next() {
    RowsOfColumn<N, kSeveral>::next();
    if (this->y_ < this->end_) return;
    leaf_.next();
    Begin();
  }

  /// Calls step(At). The bool asks for non-temporal stores, which a GPU does not need.
  template <typename Out, typename Step>
  __device__ __forceinline__ void ForEach(const Out &, const Step &step, bool = false) const {
    step(At<N, AllLanes>{this->x_, {}});
  }

 private:
  /// Goes on to a leaf that has an element of this thread. Without one, done() is true: the rows of
  /// the last leaf end where they begin, or before.
  __device__ __forceinline__ void Begin() {
    for (; !leaf_.done(); leaf_.next()) {
      const RowsOfMatrix rows = leaf_.team().Rows(leaf_.begin(), leaf_.end());
      this->y_ = rows.begin;
      this->end_ = rows.end;
      this->step_ = rows.step;
      if (rows.begin < rows.end) return;
    }
  }

  cuda::ColumnLeaves<N, kSeveral> leaf_;
};

/// The columns of a thread group, of which each thread has N.
template <int N, bool kSeveral>
class ColumnsOfMatrices : public PhasesOfTeam<cuda::ColumnTeam<N, kSeveral>, N> {
 public:
  using Base = PhasesOfTeam<cuda::ColumnTeam<N, kSeveral>, N>;
  using Base::team;

  __device__ __forceinline__ ColumnsOfMatrices(const cuda::BlockOfCall &block, const Parts &parts,
                                               const ColumnShape &shape, index_t phase)
      : Base({block, parts, shape, phase}) {}
  /// On a CPU several leaves of these operands may be taken as one.
  template <typename... Operands>
  __device__ __forceinline__ LeavesOfColumn<N, kSeveral> leaves(const Operands &...) const {
    return LeavesOfColumn<N, kSeveral>(team());
  }
  __device__ __forceinline__ RowsOfLeaves<N, kSeveral> rows() const {
    return RowsOfLeaves<N, kSeveral>(team());
  }

  /// The value of an operand that has one value for each column. A variant that does not use the
  /// operand does not load it.
  template <typename Operand, bool kUses = true>
  __device__ __forceinline__ auto Of(const Operand &operand, If<kUses> = {}) const {
    if constexpr (kUses) {
      return Loaded(operand.row(0));
    } else {
      return ToBeGiven(operand.row(0));
    }
  }
  /// The same for a value that a phase computes. It is loaded if an earlier launch ran that phase.
  template <typename Operand, bool kUses = true>
  __device__ __forceinline__ auto Given(index_t phase, const Operand &operand,
                                        If<kUses> = {}) const {
    return kUses && team().is_behind(phase) ? Loaded(operand.row(0)) : ToBeGiven(operand.row(0));
  }
  /// The same for a kept value, which has memory if each launch runs one phase.
  template <typename T>
  __device__ __forceinline__ auto Given(index_t phase, T *kept) const {
    if (team().is_behind(phase)) return Loaded(kept);
    return ToBeGiven(team().does_one() ? kept : nullptr);
  }
  /// Calls step(At) for the thread's columns.
  template <typename Step>
  __device__ __forceinline__ void ForEach(const Step &step) const {
    step(At<N, AllLanes>{team().x(), {}});
  }

 private:
  template <typename T>
  __device__ __forceinline__ ColumnValue<T, N, kSeveral> Loaded(T *row) const {
    return {team(), OfMatrix(row), Load<N>(row + team().number(), AllLanes())};
  }
  template <typename T>
  __device__ __forceinline__ ColumnValue<T, N, kSeveral> ToBeGiven(T *row) const {
    return {team(), row == nullptr ? row : OfMatrix(row), {}};
  }
  /// The values of the thread's matrix, among those of all matrices.
  template <typename T>
  __device__ __forceinline__ T *OfMatrix(T *row) const {
    return kSeveral ? row + (team().number() - team().x()) : row;
  }
};

template <int N>
using ColumnsOfTeam = ColumnsOfMatrices<N, false>;

/// A reduction of each column of a thread group.
template <typename Reducer, typename T, int N>
class ColumnReduction : public RowReduction<Reducer, T, N> {
 public:
  using RowReduction<Reducer, T, N>::RowReduction;
  __device__ __forceinline__ auto Finish(const At<N, AllLanes> &) { return this->FinishColumn(); }
};

}  // namespace device
}  // namespace packet

namespace cuda {

/// Whether a thread can take N columns, and enough threads are left.
template <int N, typename... Views>
inline bool TakesVectors(index_t elements, index_t cols, const Views &...views) {
  return cols % N == 0 && elements >= MSHADOW_VECTOR_ELEMENTS &&
         IsAligned<N>(elements / cols, views...);
}

/// Launches a kernel with a thread group for every kRowLanes * N columns of each chunk, by
/// LaunchPhases.
template <int N, typename Kernel, typename Plan, typename... Pointers>
void LaunchColumns(const char *rule, const Kernel &kernel, const Plan &plan, void *stream,
                   std::initializer_list<bool> phases, Pointers Plan::Kept::*...kept) {
  constexpr index_t kColumns = ColumnTeam<N, false>::kColumns;
  const index_t columns = plan.columns.size(), teams = (columns + kColumns - 1) / kColumns;
  Plan run = plan;
  run.parts = ShareOut(plan.columns.rows, kColumnLeaf, teams);
  LaunchPhases(rule, kernel, run, stream, teams, kColumnLeaf, phases,
               run.parts.count * ColumnTeam<N, false>::Width(columns), kept...);
}

/// The same if another kernel has already run the first phase, for the plan's chunks.
/// \param kernel takes single columns
/// \param kept the members that have no memory yet
template <typename Kernel, typename Plan, typename... Pointers>
void LaunchAfterLeaves(const char *rule, const Kernel &kernel, const Plan &plan, void *stream,
                       std::initializer_list<bool> phases, Pointers Plan::Kept::*...kept) {
  const index_t columns = plan.columns.size(), teams = (columns + kRowLanes - 1) / kRowLanes;
  LaunchPhasesFrom(1, rule, kernel, plan, stream, teams, kColumnLeaf, phases,
                   plan.parts.count * LeafWidth(gpu(), columns), kept...);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_COLUMN_TEAM_CUH_
