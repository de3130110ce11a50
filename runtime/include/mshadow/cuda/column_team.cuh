// SPDX-License-Identifier: Apache-2.0
/// \file column_team.cuh
/// Kernels of rules that reduce columns. A thread group has slots of kRowLanes threads, and takes
/// kRowLanes * N columns side by side. Each thread of a slot has N of them, and of these one leaf
/// and every leaf that is so many slots behind it. So a column is reduced in the order of
/// row_tree.h, whatever the number of slots and N. Columns with few leaves have small groups,
/// several of them in a block.
#ifndef MSHADOW_CUDA_COLUMN_TEAM_CUH_
#define MSHADOW_CUDA_COLUMN_TEAM_CUH_

#include <type_traits>

#include "mshadow/cuda/phase_team.cuh"

/// From how many elements on a kernel that reduces columns takes several of them for each thread.
/// So enough threads are left. Tests set it.
#ifndef MSHADOW_VECTOR_ELEMENTS
#define MSHADOW_VECTOR_ELEMENTS (1 << 21)
#endif

namespace mshadow {
namespace cuda {

/// The threads of some columns, which go on to others. All threads of a block go round together: a
/// thread without columns has the last ones, without elements.
/// \tparam N columns of a thread, a divisor of the number of columns
/// \tparam kSeveral whether there may be several matrices: of one a thread needs fewer registers
template <int N, bool kSeveral>
class ColumnTeam : public PhaseTeam {
 public:
  __device__ __forceinline__ ColumnTeam(const Parts &parts, const ColumnShape &shape, index_t phase)
      : PhaseTeam(parts, phase),
        shape_(shape),
        columns_(kSeveral ? shape.size() : shape.cols),
        first_(static_cast<index_t>(blockIdx.x) * step()) {}

  __device__ __forceinline__ bool done() const { return first_ >= columns_; }
  __device__ __forceinline__ void next() { first_ += static_cast<index_t>(gridDim.x) * step(); }
  /// Whether there are columns for this thread, and it is to store their values.
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
    return results + part * Width(columns_) + first_ + team() * kColumns;
  }
  MSHADOW_XINLINE static index_t Width(index_t cols) {
    return LeafWidth(gpu(), cols, N);
  }
  static constexpr int kColumns = kRowLanes * N;  ///< of the group

 private:
  /// Columns of a block.
  __device__ __forceinline__ static index_t step() {
    return static_cast<index_t>(blockDim.y) * kColumns;
  }
  __device__ __forceinline__ index_t column() const {
    return first_ + team() * kColumns + lane() * N;
  }

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
template <int N, bool kSeveral>
class ColumnLeaves {
 public:
  __device__ __forceinline__ explicit ColumnLeaves(const ColumnTeam<N, kSeveral> &team)
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
  __device__ __forceinline__ const ColumnTeam<N, kSeveral> &team() const { return team_; }

 private:
  const ColumnTeam<N, kSeveral> &team_;
  index_t first_;  ///< row of the first slot's leaf
  index_t end_;
};

}  // namespace cuda

namespace packet {
namespace device {

/// The values of a thread's columns: each of their threads has them in registers.
template <typename T, int N, bool kSeveral>
struct ColumnValue {
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

/// The elements of a leaf that are one thread's: of N columns.
template <int N, bool kSeveral>
class RowsOfColumn : public OperandRows {
 public:
  __device__ __forceinline__ RowsOfColumn(index_t x, const RowsOfMatrix &rows)
      : OperandRows(rows.begin), x_(x), end_(rows.end), step_(rows.step) {}
  __device__ __forceinline__ bool done() const { return y_ >= end_; }
  __device__ __forceinline__ void next() { y_ += kSeveral ? step_ : 1; }

  /// The value of an operand that has one for each row.
  template <typename Operand>
  __device__ __forceinline__ auto ValueOf(const Operand &operand) const {
    return Broadcast<N>(*operand.row(y_));
  }
  /// step(At, accumulators…), where the accumulators are the thread's own.
  template <typename Step, typename... Reductions>
  __device__ __forceinline__ void Sweep(const Step &step, Reductions &...reductions) const {
    step(At<N, AllLanes>{x_, {}}, reductions.part()...);
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

/// The elements of a part that are one thread's, where nothing is reduced.
template <int N, bool kSeveral>
class RowsOfLeaves : public RowsOfColumn<N, kSeveral> {
 public:
  explicit __device__ __forceinline__ RowsOfLeaves(const cuda::ColumnTeam<N, kSeveral> &team)
      : RowsOfColumn<N, kSeveral>(team.x(), {0, 0, 1}), leaf_(team) {
    Begin();
  }
  __device__ __forceinline__ bool done() const { return leaf_.done(); }
  __device__ __forceinline__ void next() {
    RowsOfColumn<N, kSeveral>::next();
    if (this->y_ < this->end_) return;
    leaf_.next();
    Begin();
  }

  /// step(At). A GPU's caches need not be passed by.
  template <typename Out, typename Step>
  __device__ __forceinline__ void ForEach(const Out &, const Step &step, bool = false) const {
    step(At<N, AllLanes>{this->x_, {}});
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

  cuda::ColumnLeaves<N, kSeveral> leaf_;
};

/// The columns of a thread group, of which each thread has N.
template <int N, bool kSeveral>
class ColumnsOfMatrices : public PhasesOfTeam<cuda::ColumnTeam<N, kSeveral>, N> {
 public:
  using Base = PhasesOfTeam<cuda::ColumnTeam<N, kSeveral>, N>;
  using Base::team;

  __device__ __forceinline__ ColumnsOfMatrices(const Parts &parts, const ColumnShape &shape,
                                               index_t phase)
      : Base({parts, shape, phase}) {}
  __device__ __forceinline__ LeavesOfColumn<N, kSeveral> leaves() const {
    return LeavesOfColumn<N, kSeveral>(team());
  }
  __device__ __forceinline__ RowsOfLeaves<N, kSeveral> rows() const {
    return RowsOfLeaves<N, kSeveral>(team());
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
  /// step(At) for the thread's columns.
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
  /// The values of the thread's matrix among those of all.
  template <typename T>
  __device__ __forceinline__ T *OfMatrix(T *row) const {
    return kSeveral ? row + (team().number() - team().x()) : row;
  }
};

template <int N>
using ColumnsOfTeam = ColumnsOfMatrices<N, false>;

/// One reduction of each column of a team.
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

/// Launches `kernel(plan)` with a thread group for every kRowLanes * N columns of each chunk, by
/// LaunchPhases.
template <int N, typename Plan, typename... Pointers>
void LaunchColumns(const char *rule, void (*kernel)(Plan), const Plan &plan, void *stream,
                   std::initializer_list<bool> phases, Pointers Plan::Kept::*...kept) {
  constexpr index_t kColumns = ColumnTeam<N, false>::kColumns;
  const index_t columns = plan.columns.size(), teams = (columns + kColumns - 1) / kColumns;
  Plan run = plan;
  run.parts = ShareOut(plan.columns.rows, kColumnLeaf, teams);
  LaunchPhases(rule, kernel, run, stream, teams, kColumnLeaf, phases,
               run.parts.count * ColumnTeam<N, false>::Width(columns), kept...);
}

/// The same where another kernel has done the first phase, for the plan's chunks.
/// \param kernel takes single columns
/// \param kept those members that have no memory yet
template <typename Plan, typename... Pointers>
void LaunchBehindLeaves(const char *rule, void (*kernel)(Plan), const Plan &plan, void *stream,
                        std::initializer_list<bool> phases, Pointers Plan::Kept::*...kept) {
  const index_t columns = plan.columns.size(), teams = (columns + kRowLanes - 1) / kRowLanes;
  LaunchPhasesFrom(1, LaunchScope(rule, stream), kernel, plan, stream, teams, kColumnLeaf, phases,
                   plan.parts.count * LeafWidth(gpu(), columns), kept...);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_COLUMN_TEAM_CUH_
