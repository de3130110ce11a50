// SPDX-License-Identifier: Apache-2.0
/// \file row_team.cuh
/// Kernels of rules that reduce rows. A team of kRowLanes * slots threads takes a row: thread t has
/// lane t % kRowLanes of leaf t / kRowLanes, and of every slots-th one after it, so that a row is
/// reduced in the order of row_tree.h whatever the number of slots. Rows with few leaves have small
/// teams, several of them in a block.
#ifndef MSHADOW_CUDA_ROW_TEAM_CUH_
#define MSHADOW_CUDA_ROW_TEAM_CUH_

#include "mshadow/cuda/kernel.cuh"
#include "mshadow/detail/row_tree.h"

namespace mshadow {
namespace cuda {

constexpr int kRowThreads = 256;  ///< of a block

/// Threads that reduce together: each has a lane of a slot.
class Team {
 public:
  __device__ __forceinline__ Team()
      : team_(threadIdx.y),
        slots_(static_cast<int>(blockDim.x) / kRowLanes),
        slot_(static_cast<int>(threadIdx.x) / kRowLanes),
        lane_(static_cast<int>(threadIdx.x) % kRowLanes) {}

  __device__ __forceinline__ int team() const { return team_; }  ///< of the block's
  /// Waits for all threads of the block: what they wrote before is there for each of them.
  __device__ __forceinline__ void Sync() const { __syncthreads(); }

  __device__ __forceinline__ int slots() const { return slots_; }
  __device__ __forceinline__ int slot() const { return slot_; }
  __device__ __forceinline__ int lane() const { return lane_; }
  __device__ __forceinline__ bool is_first() const { return slot_ == 0 && lane_ == 0; }
  /// The block's number of this thread, and of its team's first.
  __device__ __forceinline__ int thread() const {
    return first_thread() + slot_ * kRowLanes + lane_;
  }
  __device__ __forceinline__ int first_thread() const { return team_ * slots_ * kRowLanes; }

 private:
  int team_, slots_, slot_, lane_;
};

/// The threads of one row, which go on to another one. All threads of a block go round together: a
/// team without a row has the last one, without elements.
class RowTeam : public Team {
 public:
  __device__ __forceinline__ RowTeam(index_t rows, index_t cols)
      : rows_(rows), cols_(cols), first_(static_cast<index_t>(blockIdx.x) * blockDim.y) {}

  __device__ __forceinline__ bool done() const { return first_ >= rows_; }
  __device__ __forceinline__ void next() { first_ += static_cast<index_t>(gridDim.x) * blockDim.y; }
  /// Whether there is a row for this team, and this thread is to store its values.
  __device__ __forceinline__ bool stores() const { return has_row() && is_first(); }
  __device__ __forceinline__ index_t y() const { return has_row() ? first_ + team() : rows_ - 1; }

  __device__ __forceinline__ bool has_row() const { return first_ + team() < rows_; }
  __device__ __forceinline__ index_t cols() const { return cols_; }

 private:
  index_t rows_, cols_;
  index_t first_;  ///< row of the block's first team
};

/// The leaves of a row, `slots` of them at a time:
///
///     for (RowLeaves leaf(team); !leaf.done(); leaf.next())
///       for (index_t i = leaf.begin(); i < leaf.end(); i += kRowLanes) … element i …
class RowLeaves {
 public:
  __device__ __forceinline__ explicit RowLeaves(const RowTeam &team)
      : cols_(team.cols()), step_(team.slots() * kRowLeaf), has_row_(team.has_row()) {
    own_ = team.slot() * kRowLeaf;
    begin_ = own_ + team.lane();
  }
  __device__ __forceinline__ bool done() const { return first_ >= cols_; }
  __device__ __forceinline__ void next() {
    first_ += step_;
    own_ += step_;
    begin_ += step_;
  }
  __device__ __forceinline__ index_t begin() const { return begin_; }
  __device__ __forceinline__ index_t end() const {
    if (!has_row_) return 0;
    return own_ + kRowLeaf < cols_ ? own_ + kRowLeaf : cols_;
  }
  /// How many leaves there are from the first one of this round.
  __device__ __forceinline__ index_t left() const {
    return (cols_ - first_ + kRowLeaf - 1) / kRowLeaf;
  }

 private:
  index_t cols_, step_;
  bool has_row_;
  index_t first_ = 0;  ///< element of the first slot's leaf
  index_t own_;        ///< element of the own leaf
  index_t begin_;      ///< of its own lane
};

/// One reduction of the row, columns, or part, of a team; every thread of the block calls it alike.
template <typename Reducer, typename T>
class RowReduction {
 public:
  using Value = packet::device::Vec<T, 1>;

  __device__ __forceinline__ explicit RowReduction(const Team &team) : team_(team) {}

  /// Begins a leaf, whose elements part() takes.
  __device__ __forceinline__ void Begin() { part_ = Initial(); }
  __device__ __forceinline__ Value &part() { return part_; }

  /// Ends the leaves of a round, `left()` of which are left: they become a subtree, which the
  /// first slot keeps.
  template <typename Leaves>
  __device__ void Push(const Leaves &leaf) {
    const index_t left = leaf.left();
    for (int step = 1; step < team_.slots(); step *= 2) {
      const bool takes = team_.slot() % (2 * step) == 0 && team_.slot() + step < left;
      Exchange(takes, step * kRowLanes);
    }
    level_[depth_++] = part_;
    for (index_t n = count_++; (n & 1) != 0; n >>= 1) Merge();
  }

  /// What was pushed as a part, of which each thread of the first slot has a lane.
  __device__ void FinishPart(T *lanes) {
    MergeAll();
    if (team_.slot() == 0) lanes[team_.lane()] = packet::device::Lane(level_[0], 0);
  }
  /// Takes a lane of a part as a leaf.
  __device__ void TakePart(const T *lanes) { part_ = Value(lanes[team_.lane()]); }

  /// The result of each lane, which is a column's, in every slot.
  __device__ Value FinishColumn() {
    MergeAll();
    T *const shared = Shared();
    __syncthreads();
    if (team_.slot() == 0) shared[team_.thread()] = packet::device::Lane(level_[0], 0);
    __syncthreads();
    return Value(shared[team_.first_thread() + team_.lane()]);
  }

  /// The result, in every thread of the team.
  __device__ Value Finish() {
    MergeAll();
    part_ = level_[0];
    for (int step = 1; step < kRowLanes; step *= 2) {
      Exchange(team_.lane() % (2 * step) == 0, step);
    }
    T *const shared = Shared();
    __syncthreads();
    if (team_.thread() == team_.first_thread()) {
      shared[team_.thread()] = packet::device::Lane(part_, 0);
    }
    __syncthreads();
    return Value(shared[team_.first_thread()]);
  }

 private:
  static __device__ __forceinline__ Value Initial() {
    return Value(Reducer::template Initial<T>());
  }
  static __device__ __forceinline__ T *Shared() {
    __shared__ T shared[kRowThreads];
    return shared;
  }

  /// Takes the value of the thread \p distance behind, where \p takes says so.
  __device__ void Exchange(bool takes, int distance) {
    T *const shared = Shared();
    __syncthreads();
    shared[team_.thread()] = packet::device::Lane(part_, 0);
    __syncthreads();
    if (takes) part_ = Reducer::Combine(part_, Value(shared[team_.thread() + distance]));
  }

  __device__ void MergeAll() {
    if (depth_ == 0) level_[depth_++] = Initial();
    while (depth_ > 1) Merge();
  }

  __device__ __forceinline__ void Merge() {
    --depth_;
    level_[depth_ - 1] = Reducer::Combine(level_[depth_ - 1], level_[depth_]);
  }

  static constexpr int kMaxDepth = 40;  // more than the bits of any count of rounds
  const Team &team_;
  Value part_;
  Value level_[kMaxDepth];
  int depth_ = 0;
  index_t count_ = 0;
};

}  // namespace cuda

namespace packet {
namespace device {

/// Rows of a kernel that reduces them, as one thread of a team goes through them: by single
/// elements, in the order of row_tree.h.
class RowsOfTeam : public OperandRows {
 public:
  static constexpr int kLanes = 1;
  static constexpr bool kBuffered = false;  ///< where memory is slower than functions

  __device__ __forceinline__ RowsOfTeam(index_t rows, index_t cols)
      : OperandRows(0), team_(rows, cols) {
    y_ = team_.y();
  }
  __device__ __forceinline__ bool done() const { return team_.done(); }
  __device__ __forceinline__ void next() {
    team_.next();
    y_ = team_.y();
  }
  __device__ __forceinline__ const cuda::RowTeam &team() const { return team_; }

  /// The value of an operand that has one for each row, or for all.
  template <typename Operand>
  __device__ __forceinline__ auto ValueOf(const Operand &operand) const {
    return Broadcast<1>(*operand.row(y()));
  }
  /// Stores such a value, which every thread has.
  template <typename Operand, typename Value>
  __device__ __forceinline__ void Put(const Operand &operand, const Value &value) const {
    if (team_.stores()) Store(operand.row(y()), value, AllLanes());
  }
  /// The element that `column` names; 0 if there is none. It may be another thread's.
  template <typename T, typename Index>
  __device__ __forceinline__ auto Element(const OperandRow<T> &row, const Index &column) const {
    Sync();
    const auto element = ElementAt<1>(row.elements, column, team_.cols());
    Sync();
    return element;
  }
  /// What divides the row's elements by a value.
  template <typename T>
  __device__ __forceinline__ auto DivisorOf(const Vec<T, 1> &value) const {
    return Divisor<T, 1>(value);
  }
  /// Waits for the row's other threads.
  __device__ __forceinline__ void Sync() const { team_.Sync(); }

  /// Other warps compute while one waits for memory: nothing is prefetched.
  template <typename Operand>
  __device__ __forceinline__ auto Next(const Operand &operand) const {
    return Of(operand);
  }
  template <typename Row, typename At>
  __device__ __forceinline__ void Prefetch(const Row &, const At &) const {}

  /// step(At, accumulators…) for the thread's elements, where the accumulators are its own.
  /// \param reductions RowReduction, each; every thread of the block calls this alike
  template <typename Step, typename... Reductions>
  __device__ __forceinline__ void Sweep(const Step &step, Reductions &...reductions) const {
    for (cuda::RowLeaves leaf(team_); !leaf.done(); leaf.next()) {
      (reductions.Begin(), ...);
      for (index_t x = leaf.begin(); x < leaf.end(); x += kRowLanes) {
        step(At<1, AllLanes>{x, {}}, reductions.part()...);
      }
      (reductions.Push(leaf), ...);
    }
  }
  /// A GPU's caches need not be passed by: here, and below.
  template <typename T, typename Step, typename... Reductions>
  __device__ __forceinline__ void Sweep(const OperandRow<T> &, bool, const Step &step,
                                        Reductions &...reductions) const {
    Sweep(step, reductions...);
  }
  template <typename Out, typename Step>
  __device__ __forceinline__ void ForEach(const Out &, const Step &step, bool = false) const {
    Sweep(step);
  }

 private:
  cuda::RowTeam team_;
};

template <typename Reducer, typename T, int N>
class RowReduction : public cuda::RowReduction<Reducer, T> {
 public:
  /// \param rows RowsOfTeam, or what else has a team
  template <typename Rows>
  __device__ __forceinline__ explicit RowReduction(const Rows &rows)
      : cuda::RowReduction<Reducer, T>(rows.team()) {}
};

}  // namespace device
}  // namespace packet

namespace cuda {

/// Launches `kernel(args)` with \p count teams, each for so many \p leaves, and so many blocks for
/// each of \p parts.
/// \throws Error if the launch fails; names the rule
template <typename... Args>
void LaunchTeams(const LaunchScope &scope, void (*kernel)(Args...), index_t leaves, index_t count,
                 index_t parts, Args... args) {
  unsigned threads = kRowLanes;
  while (threads < kRowThreads && static_cast<index_t>(threads / kRowLanes) < leaves) threads *= 2;
  const unsigned teams = kRowThreads / threads;
  constexpr index_t kMaxBlocks = index_t{1} << 30;
  const index_t blocks = (count + static_cast<index_t>(teams) - 1) / static_cast<index_t>(teams);
  void *all[] = {&args...};
  const dim3 grid(static_cast<unsigned>(blocks < kMaxBlocks ? blocks : kMaxBlocks),
                  static_cast<unsigned>(parts));
  scope.Check(cudaLaunchKernel(kernel, grid, dim3(threads, teams), all, 0, scope.stream()));
}

/// Launches `kernel(plan)` with a team for each row.
/// \param stream a Stream<gpu> *, null for the current device's default stream
/// \throws Error if the launch fails; names the rule
template <typename Plan>
void LaunchRows(const char *rule, void (*kernel)(Plan), const Plan &plan, void *stream) {
  LaunchTeams(LaunchScope(rule, stream), kernel, (plan.cols + kRowLeaf - 1) / kRowLeaf, plan.rows,
              1, plan);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_ROW_TEAM_CUH_
