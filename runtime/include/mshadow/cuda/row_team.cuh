// SPDX-License-Identifier: Apache-2.0
/// \file row_team.cuh
/// Kernels of rules that reduce rows. A team of kRowLanes * slots threads takes a row: thread t has
/// lane t % kRowLanes of leaf t / kRowLanes, and of every slots-th one after it, so that a row is
/// reduced in the order of row_tree.h whatever the number of slots. Rows with few leaves have small
/// teams, several of them in a block.
#ifndef MSHADOW_CUDA_ROW_TEAM_CUH_
#define MSHADOW_CUDA_ROW_TEAM_CUH_

#include <type_traits>

#include "mshadow/cuda/kernel.cuh"
#include "mshadow/detail/row_tree.h"
#include "mshadow/emitted/leaves.h"

namespace mshadow {
namespace cuda {

constexpr int kRowThreads = 256;  ///< of a block

/// Bytes of a block's shared memory that hold elements of rows. On a GPU with less of it for a
/// multiprocessor, more would leave too few blocks there.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int kRowBytes = 12 << 10;
#else
constexpr int kRowBytes = 32 << 10;
#endif

/// Threads that reduce together: each has a lane of a slot. It has no members, which might be kept
/// in memory: registers of the hardware say who a thread is.
class Team {
 public:
  __device__ __forceinline__ Team() {}
  __device__ __forceinline__ int team() const { return static_cast<int>(threadIdx.y); }
  /// Waits for all threads of the block: what they wrote before is there for each of them.
  __device__ __forceinline__ void Sync() const { __syncthreads(); }

  __device__ __forceinline__ int slots() const { return threads() / kRowLanes; }
  __device__ __forceinline__ int slot() const { return static_cast<int>(threadIdx.x / kRowLanes); }
  __device__ __forceinline__ int lane() const { return static_cast<int>(threadIdx.x % kRowLanes); }
  __device__ __forceinline__ bool is_first() const { return threadIdx.x == 0; }
  /// How many threads the group has, and the number of this one.
  __device__ __forceinline__ int threads() const { return static_cast<int>(blockDim.x); }
  __device__ __forceinline__ int own_thread() const { return static_cast<int>(threadIdx.x); }
  /// The block's number of this thread, and of its team's first.
  __device__ __forceinline__ int thread() const { return first_thread() + own_thread(); }
  __device__ __forceinline__ int first_thread() const { return team() * threads(); }
};

/// The threads of one row, which go on to another one. All threads of a block go round together: a
/// team without a row has the last one, without elements.
class RowTeam : public Team {
 public:
  /// \param each how many rows a thread group takes before it goes on to others
  __device__ __forceinline__ RowTeam(index_t rows, index_t cols, index_t each = 1)
      : rows_(rows), cols_(cols), each_(each), first_(blockIdx.x * step()) {}

  __device__ __forceinline__ bool done() const { return first_ >= rows_; }
  __device__ __forceinline__ void next() {
    if (++taken_ < each_) return;
    taken_ = 0;
    first_ += gridDim.x * step();
  }
  /// Whether there is a row for this team, and this thread is to store its values.
  __device__ __forceinline__ bool stores() const { return has_row() && is_first(); }
  __device__ __forceinline__ index_t y() const { return has_row() ? row() : rows_ - 1; }

  __device__ __forceinline__ bool has_row() const { return row() < rows_; }
  __device__ __forceinline__ index_t cols() const { return cols_; }

 private:
  /// The rows of a block.
  __device__ __forceinline__ index_t step() const {
    return static_cast<index_t>(blockDim.y) * each_;
  }
  __device__ __forceinline__ index_t row() const { return first_ + team() * each_ + taken_; }

  index_t rows_, cols_, each_;
  index_t first_;      ///< row of the block's first team
  index_t taken_ = 0;  ///< how many of its rows a thread group has taken
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
/// \tparam N columns of a thread; 1 where rows or parts are reduced
template <typename Reducer, typename T, int N>
class RowReduction {
 public:
  using Value = packet::device::Vec<T, N>;

  __device__ __forceinline__ explicit RowReduction(const Team &team) : team_(team) {}

  /// Begins a leaf, whose elements part() takes.
  __device__ __forceinline__ void Begin() { part_ = Initial(); }
  __device__ __forceinline__ Value &part() { return part_; }

  /// Ends the leaves of a round, `left()` of which are left: they become a subtree, which the
  /// first slot keeps.
  template <typename Leaves>
  __device__ void Push(const Leaves &leaf) {
    const index_t left = leaf.left();
    const int slots = team_.slots(), slot = team_.slot();
    for (int step = 1; step < slots; step *= 2) {
      const bool takes = (slot & (2 * step - 1)) == 0 && slot + step < left;
      Exchange(takes, step * kRowLanes);
    }
    level_[depth_++] = part_;
    for (index_t n = count_++; (n & 1) != 0; n >>= 1) Merge();
  }

  /// What was pushed as a part, of which each thread of the first slot has N lanes.
  __device__ void FinishPart(T *lanes) {
    MergeAll();
    if (team_.slot() != 0) return;
    for (int i = 0; i < N; ++i) lanes[team_.lane() * N + i] = packet::device::Lane(level_[0], i);
  }
  /// Takes the lanes of a part as a leaf.
  __device__ void TakePart(const T *lanes) {
    for (int i = 0; i < N; ++i) packet::device::SetLane(&part_, i, lanes[team_.lane() * N + i]);
  }

  /// The result of each lane, which is a column's, in every slot.
  __device__ Value FinishColumn() {
    MergeAll();
    __syncthreads();
    if (team_.slot() == 0) Give(level_[0]);
    __syncthreads();
    return Given(team_.first_thread() + team_.lane());
  }

  /// The result, in every thread of the team.
  __device__ Value Finish() {
    MergeAll();
    part_ = level_[0];
    const int lane = team_.lane();
    for (int step = 1; step < kRowLanes; step *= 2) Exchange((lane & (2 * step - 1)) == 0, step);
    __syncthreads();
    if (team_.is_first()) Give(part_);
    __syncthreads();
    return Given(team_.first_thread());
  }

 private:
  static __device__ __forceinline__ Value Initial() {
    return Value(Reducer::template Initial<T>());
  }
  static __device__ __forceinline__ T *Shared() {
    __shared__ T shared[kRowThreads * N];
    return shared;
  }

  /// Shows the thread's values to the others of its block, and returns those that thread \p from
  /// shows.
  __device__ __forceinline__ void Give(const Value &value) const {
    T *const shared = Shared();
    MSHADOW_DEVICE_UNROLL for (int i = 0; i < N; ++i) {
      shared[i * kRowThreads + team_.thread()] = packet::device::Lane(value, i);
    }
  }
  __device__ __forceinline__ Value Given(int from) const {
    const T *const shared = Shared();
    Value value;
    MSHADOW_DEVICE_UNROLL for (int i = 0; i < N; ++i) {
      packet::device::SetLane(&value, i, shared[i * kRowThreads + from]);
    }
    return value;
  }

  /// Takes the values of the thread \p distance behind, where \p takes says so.
  __device__ void Exchange(bool takes, int distance) {
    __syncthreads();
    Give(part_);
    __syncthreads();
    if (takes) part_ = Reducer::Combine(part_, Given(team_.thread() + distance));
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

  __device__ __forceinline__ RowsOfTeam(index_t rows, index_t cols, index_t each = 1)
      : OperandRows(0), team_(rows, cols, each) {
    y_ = team_.y();
  }
  __device__ __forceinline__ bool done() const { return team_.done(); }
  __device__ __forceinline__ void next() {
    team_.next();
    y_ = team_.y();
    if (cached_ == 0) return;
    cached_ = 0;
    Sync();  // every thread has read what was cached
  }
  __device__ __forceinline__ const cuda::RowTeam &team() const { return team_; }

  /// The row of an operand that several sweeps read and none writes: a copy in shared memory, if it
  /// fits. So all of it is on its way at once, and comes from memory once.
  template <typename T>
  __device__ __forceinline__ OperandRow<const T> Cached(const PlanView<const T> &operand) {
    const T *const from = operand.row(y());
    T *const to = reinterpret_cast<T *>(Memory() + cached_);
    const index_t bytes = (team_.cols() * static_cast<index_t>(sizeof(T)) + 15) / 16 * 16;
    if (bytes > cuda::kRowBytes / static_cast<index_t>(blockDim.y) - cached_) return {from};
    cached_ += static_cast<int>(bytes);
    if (team_.has_row()) Copy(from, to);
    Sync();
    return {to};
  }
  template <typename Operand>
  __device__ __forceinline__ auto Cached(const Operand &operand) const {
    return Of(operand);
  }

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
  /// The leaf that the row's elements would be reduced to, column by column.
  template <typename T, typename Reducer>
  __device__ __forceinline__ NoLeaf<T> Leaf(T *, Reducer) const {
    return {};
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
      // Copies are in registers, whatever is loaded and stored.
      const auto take = [&](auto... parts) {
        for (index_t x = leaf.begin(); x < leaf.end(); x += kRowLanes) {
          step(At<1, AllLanes>{x, {}}, parts...);
        }
        ((reductions.part() = parts), ...);
      };
      take(reductions.part()...);
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
  /// Where the group's cached rows are: each group of the block has as much.
  __device__ __forceinline__ char *Memory() const {
    __shared__ uint4 memory[cuda::kRowBytes / sizeof(uint4)];
    const int bytes = cuda::kRowBytes / static_cast<int>(blockDim.y) / 16 * 16;
    return reinterpret_cast<char *>(memory) + team_.team() * bytes;
  }

  /// Copies a row, in accesses of 16 bytes if it begins at a multiple of them.
  template <typename T>
  __device__ __forceinline__ void Copy(const T *from, T *to) const {
    constexpr int kTogether = 16 / sizeof(T);
    const int cols = static_cast<int>(team_.cols());
    const bool aligned = reinterpret_cast<uintptr_t>(from) % 16 == 0;
    const int vectors = aligned ? cols / kTogether : 0;
    const uint4 *const from_vectors = reinterpret_cast<const uint4 *>(from);
    uint4 *const to_vectors = reinterpret_cast<uint4 *>(to);
    MSHADOW_DEVICE_UNROLL_BY(8)
    for (int i = team_.own_thread(); i < vectors; i += team_.threads()) {
      to_vectors[i] = from_vectors[i];
    }
    MSHADOW_DEVICE_UNROLL_BY(4)
    for (int i = vectors * kTogether + team_.own_thread(); i < cols; i += team_.threads()) {
      to[i] = from[i];
    }
  }

  cuda::RowTeam team_;
  int cached_ = 0;  ///< bytes of shared memory in use
};

/// The same where the kernel computes leaves of reductions to columns. A thread group takes
/// all rows of a leaf.
class RowsWithLeaves : public RowsOfTeam {
 public:
  __device__ __forceinline__ RowsWithLeaves(index_t rows, index_t cols)
      : RowsOfTeam(rows, cols, kColumnLeaf) {}

  /// The leaf that the row's elements are reduced to, column by column. A leaf's first row makes it
  /// what the reducer begins with. A thread has the same columns in all rows.
  /// \param leaves the leaves of all rows, LeafWidth elements apart
  template <typename T, typename Reducer>
  __device__ __forceinline__ OperandRow<T> Leaf(T *leaves, Reducer) const {
    const OperandRow<T> leaf{leaves + y() / kColumnLeaf * LeafWidth(gpu(), team().cols())};
    if (y() % kColumnLeaf == 0) {
      const Vec<T, 1> initial(Reducer::template Initial<T>());
      Sweep([=](const At<1, AllLanes> &i) { leaf.Put(i, initial); });
    }
    return leaf;
  }
};

template <bool kHasLeaves>
using RowsOrLeaves = std::conditional_t<kHasLeaves, RowsWithLeaves, RowsOfTeam>;

template <typename Reducer, typename T, int N>
class RowReduction : public cuda::RowReduction<Reducer, T, N> {
 public:
  /// \param rows RowsOfTeam, or what else has a team
  template <typename Rows>
  __device__ __forceinline__ explicit RowReduction(const Rows &rows)
      : cuda::RowReduction<Reducer, T, N>(rows.team()) {}
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

/// Launches `kernel(plan)` with a thread group for each row, or for so many rows each.
/// \param stream a Stream<gpu> *, null for the current device's default stream
/// \throws Error if the launch fails; names the rule
template <typename Plan>
void LaunchRows(const char *rule, void (*kernel)(Plan), const Plan &plan, void *stream,
                index_t each = 1) {
  LaunchTeams(LaunchScope(rule, stream), kernel, (plan.cols + kRowLeaf - 1) / kRowLeaf,
              (plan.rows + each - 1) / each, 1, plan);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_ROW_TEAM_CUH_
