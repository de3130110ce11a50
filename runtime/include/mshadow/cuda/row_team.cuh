// SPDX-License-Identifier: Apache-2.0
/// \file row_team.cuh
/// Kernels of rules that reduce rows. A thread group takes a row; the code calls it a team. It
/// consists of slots of kRowLanes threads: thread t is lane t % kRowLanes of slot t / kRowLanes.
/// Slot s takes leaves s, s + slots, s + 2 * slots and so on. So a row is reduced in the order of
/// row_tree.h, whatever the number of slots. Rows with few leaves have small thread groups, several
/// of them in a block.
#ifndef MSHADOW_CUDA_ROW_TEAM_CUH_
#define MSHADOW_CUDA_ROW_TEAM_CUH_

#include <type_traits>

#include "mshadow/cuda/kernel.cuh"
#include "mshadow/detail/row_tree.h"
#include "mshadow/emitted/leaves.h"

namespace mshadow {
namespace cuda {

constexpr int kRowThreads = 256;  ///< threads of a block

/// How many bytes of a block's shared memory hold elements of rows. GPUs before compute capability
/// 8.0 have less shared memory: if a block took more, too few blocks would fit on a multiprocessor.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int kRowBytes = 12 << 10;
#else
constexpr int kRowBytes = 32 << 10;
#endif

/// A thread group: threads that reduce together. Each thread is a lane of a slot. The class has no
/// members, since the compiler might keep them in memory. The indices of a thread are in special
/// registers anyway.
class Team {
 public:
  __device__ __forceinline__ Team() {}
  __device__ __forceinline__ int team() const { return static_cast<int>(threadIdx.y); }
  /// Waits for all threads of the block. Afterwards each thread sees what all of them wrote before.
  __device__ __forceinline__ void Sync() const { __syncthreads(); }

  __device__ __forceinline__ int slots() const { return threads() / kRowLanes; }
  __device__ __forceinline__ int slot() const { return static_cast<int>(threadIdx.x / kRowLanes); }
  __device__ __forceinline__ int lane() const { return static_cast<int>(threadIdx.x % kRowLanes); }
  __device__ __forceinline__ bool is_first() const { return threadIdx.x == 0; }
  /// How many threads the group has, and the index of this thread in the group.
  __device__ __forceinline__ int threads() const { return static_cast<int>(blockDim.x); }
  __device__ __forceinline__ int own_thread() const { return static_cast<int>(threadIdx.x); }
  /// The index in the block of this thread, and of the group's first thread.
  __device__ __forceinline__ int thread() const { return first_thread() + own_thread(); }
  __device__ __forceinline__ int first_thread() const { return team() * threads(); }
};

/// The thread group of one row, which then goes on to another row. All thread groups of a block go
/// on together. A group for which no row is left has the last row, without its elements.
class RowTeam : public Team {
 public:
  /// \param each how many rows, one after the other, a thread group takes before it skips those of
  ///     other groups
  __device__ __forceinline__ RowTeam(const BlockOfCall &block, index_t rows, index_t cols,
                                     index_t each = 1)
      : rows_(rows), cols_(cols), each_(each), blocks_(block.width), first_(block.x * step()) {}

  __device__ __forceinline__ bool done() const { return first_ >= rows_; }
  __device__ __forceinline__ void next() {
    if (++taken_ < each_) return;
    taken_ = 0;
    first_ += blocks_ * step();
  }
  /// Whether this thread is to store the values of the row: its group has a row, and it is the
  /// group's first thread.
  __device__ __forceinline__ bool stores() const { return has_row() && is_first(); }
  __device__ __forceinline__ index_t y() const { return has_row() ? row() : rows_ - 1; }

  __device__ __forceinline__ bool has_row() const { return row() < rows_; }
  __device__ __forceinline__ index_t cols() const { return cols_; }

 private:
  /// How many rows a block takes.
  __device__ __forceinline__ index_t step() const {
    return static_cast<index_t>(blockDim.y) * each_;
  }
  __device__ __forceinline__ index_t row() const { return first_ + team() * each_ + taken_; }

  index_t rows_, cols_, each_;
  index_t blocks_;     ///< of the grid
  index_t first_;      ///< the first row of the block's first group
  index_t taken_ = 0;  ///< how many of its `each` rows a group has finished
};

/// Goes over the leaves of a row, one for each slot in a round:
///
///     for (RowLeaves leaf(team); !leaf.done(); leaf.next())
///       for (index_t i = leaf.begin(); i < leaf.end(); i += kRowLanes) … element i …
class RowLeaves {
 public:
  __device__ __forceinline__ explicit RowLeaves(const RowTeam &team)
      : cols_(team.cols()), end_(team.has_row() ? team.cols() : 0) {}
  __device__ __forceinline__ bool done() const { return first_ >= cols_; }
  __device__ __forceinline__ void next() { first_ += Team().slots() * kRowLeaf; }
  __device__ __forceinline__ index_t begin() const { return own() + Team().lane(); }
  __device__ __forceinline__ index_t end() const {
    const index_t end = own() + kRowLeaf;
    return end < end_ ? end : end_;
  }
  /// How many leaves of the row are left, including those of this round.
  __device__ __forceinline__ index_t left() const {
    return (cols_ - first_ + kRowLeaf - 1) / kRowLeaf;
  }

 private:
  /// Where the leaf of this thread's slot begins. It is computed anew: a member would take a
  /// register during the whole loop over the elements.
  __device__ __forceinline__ index_t own() const { return first_ + Team().slot() * kRowLeaf; }

  index_t cols_, end_;
  index_t first_ = 0;  ///< where the leaf of the first slot begins
};

/// A thread group's reduction of a row, of columns or of a chunk. All threads of the block must
/// make the same calls.
/// \tparam N how many columns each thread reduces; 1 where rows or chunks are reduced
template <typename Reducer, typename T, int N>
class RowReduction {
 public:
  using Value = packet::device::Vec<T, N>;

  __device__ __forceinline__ explicit RowReduction(const Team &team) : team_(team) {}

  /// Begins a leaf. The caller reduces the thread's elements of the leaf into part().
  __device__ __forceinline__ void Begin() { part_ = Initial(); }
  __device__ __forceinline__ Value &part() { return part_; }

  /// Ends a leaf of each slot. The first slot combines these leaves into a subtree, which it keeps.
  /// \param leaf leaf.left() is the number of leaves that are left, including those of this round
  template <typename Leaves>
  __device__ void Push(const Leaves &leaf) {
    const index_t left = leaf.left();
    const int slots = team_.slots(), slot = team_.slot();
    MSHADOW_DEVICE_UNROLL_BY(1)
    for (int step = 1; step < slots; step *= 2) {
      const bool takes = (slot & (2 * step - 1)) == 0 && slot + step < left;
      Exchange(takes, step * kRowLanes);
    }
    int depth = __popc(count_);
    MSHADOW_DEVICE_UNROLL_BY(1)
    for (unsigned n = count_++; (n & 1) != 0; n >>= 1) {
      part_ = Reducer::Combine(level_[--depth], part_);
    }
    level_[depth] = part_;
  }

  /// Combines all leaves that were pushed. The result is the partial sum of a chunk. Each thread of
  /// the first slot stores N of its lanes.
  __device__ void FinishPart(T *lanes) {
    MergeAll();
    if (team_.slot() != 0) return;
    for (int i = 0; i < N; ++i) lanes[team_.lane() * N + i] = packet::device::Lane(level_[0], i);
  }
  /// Takes the lanes of a chunk's partial sum as a leaf.
  __device__ void TakePart(const T *lanes) {
    for (int i = 0; i < N; ++i) packet::device::SetLane(&part_, i, lanes[team_.lane() * N + i]);
  }

  /// The results of the N columns of this thread's lane, in every slot.
  __device__ Value FinishColumn() {
    MergeAll();
    __syncthreads();
    if (team_.slot() == 0) Give(level_[0]);
    __syncthreads();
    return Given(team_.first_thread() + team_.lane());
  }

  /// The result, in every thread of the group.
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

  /// Copies this thread's values to shared memory, for the other threads of the block.
  __device__ __forceinline__ void Give(const Value &value) const {
    T *const shared = Shared();
    MSHADOW_DEVICE_UNROLL for (int i = 0; i < N; ++i) {
      shared[i * kRowThreads + team_.thread()] = packet::device::Lane(value, i);
    }
  }
  /// The values that thread \p from of the block has copied there.
  __device__ __forceinline__ Value Given(int from) const {
    const T *const shared = Shared();
    Value value;
    MSHADOW_DEVICE_UNROLL for (int i = 0; i < N; ++i) {
      packet::device::SetLane(&value, i, shared[i * kRowThreads + from]);
    }
    return value;
  }

  /// Combines this thread's values with those of the thread \p distance ahead, if \p takes is true.
  __device__ void Exchange(bool takes, int distance) {
    __syncthreads();
    Give(part_);
    __syncthreads();
    if (takes) part_ = Reducer::Combine(part_, Given(team_.thread() + distance));
  }

  /// Combines the subtrees to level_[0].
  __device__ void MergeAll() {
    if (count_ == 0) level_[0] = Initial();
    MSHADOW_DEVICE_UNROLL_BY(1)
    for (int depth = __popc(count_); depth > 1; --depth) {
      level_[depth - 2] = Reducer::Combine(level_[depth - 2], level_[depth - 1]);
    }
    count_ = 1;
  }

  static constexpr int kMaxDepth = 32;  // a level for each bit of the number of rounds
  const Team &team_;
  Value part_;
  Value level_[kMaxDepth];  ///< a subtree for each bit that is 1 in count_, the largest first
  unsigned count_ = 0;      ///< rounds that were pushed
};

}  // namespace cuda

namespace packet {
namespace device {

/// The rows of a kernel that reduces rows, for one thread of a thread group. The thread goes over
/// single elements, in the order of row_tree.h.
class RowsOfTeam : public OperandRows {
 public:
  static constexpr int kLanes = 1;
  static constexpr bool kBuffered = false;  ///< no row buffers: to compute again is faster

  __device__ __forceinline__ RowsOfTeam(const cuda::BlockOfCall &block, index_t rows, index_t cols,
                                        index_t each = 1)
      : OperandRows(0), team_(block, rows, cols, each) {
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

  /// The row of an operand that several passes read and none writes: a copy in shared memory, if it
  /// fits. So the row is loaded from memory once, by loads that do not wait for each other.
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

  /// The value of an operand that has one value for each row, or one for all rows.
  template <typename Operand>
  __device__ __forceinline__ auto ValueOf(const Operand &operand) const {
    return Broadcast<1>(*operand.row(y()));
  }
  /// Stores a value of such an operand. All threads have the value; one of them stores it.
  template <typename Operand, typename Value>
  __device__ __forceinline__ void Put(const Operand &operand, const Value &value) const {
    if (team_.stores()) Store(operand.row(y()), value, AllLanes());
  }
  /// The element that `column` names; 0 if there is none. Another thread may store this element, so
  /// the threads wait for each other.
  template <typename T, typename Index>
  __device__ __forceinline__ auto Element(const OperandRow<T> &row, const Index &column) const {
    Sync();
    const auto element = ElementAt<1>(row.elements, column, team_.cols());
    Sync();
    return element;
  }
  /// The same of a row that an index names; 0 if the index is no row.
  template <typename T, typename Index>
  __device__ __forceinline__ auto Element(const NamedRow<T> &row, const Index &column) const {
    Sync();
    const auto element =
        ElementAt<1>(row.elements, column, row.elements != nullptr ? team_.cols() : 0);
    Sync();
    return element;
  }
  /// A Divisor, which divides the row's elements by \p value.
  template <typename T>
  __device__ __forceinline__ auto DivisorOf(const Vec<T, 1> &value) const {
    return Divisor<T, 1>(value);
  }
  /// Stands for a leaf: this kernel computes no leaves for a reduction of columns.
  template <typename T, typename Reducer>
  __device__ __forceinline__ NoLeaf<T> Leaf(T *, Reducer) const {
    return {};
  }
  /// Waits for all threads of the block.
  __device__ __forceinline__ void Sync() const { team_.Sync(); }

  /// Nothing is prefetched: while one warp waits for memory, other warps compute.
  template <typename Operand>
  __device__ __forceinline__ auto Next(const Operand &operand) const {
    return Of(operand);
  }
  template <typename Row, typename At>
  __device__ __forceinline__ void Prefetch(const Row &, const At &) const {}

  /// Calls step(At, accumulators…) for each of this thread's elements. The accumulators are the
  /// thread's own. All threads of the block must make the same calls.
  /// \param reductions RowReductions
  template <typename Step, typename... Reductions>
  __device__ __forceinline__ void Sweep(const Step &step, Reductions &...reductions) const {
    for (cuda::RowLeaves leaf(team_); !leaf.done(); leaf.next()) {
      (reductions.Begin(), ...);
      // Copies stay in registers: no load or store can refer to them.
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
  /// Here and below, a bool asks for non-temporal stores, which a GPU does not need.
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
  /// The shared memory for this group's cached rows. All groups of the block have equal shares.
  __device__ __forceinline__ char *Memory() const {
    __shared__ uint4 memory[cuda::kRowBytes / sizeof(uint4)];
    const int bytes = cuda::kRowBytes / static_cast<int>(blockDim.y) / 16 * 16;
    return reinterpret_cast<char *>(memory) + team_.team() * bytes;
  }

  /// Copies a row, in accesses of 16 bytes if its address is a multiple of 16.
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

/// The same for a kernel that also computes the leaves of reductions of columns (leaves.h). A
/// thread group takes all rows of a leaf.
class RowsWithLeaves : public RowsOfTeam {
 public:
  __device__ __forceinline__ RowsWithLeaves(const cuda::BlockOfCall &block, index_t rows,
                                            index_t cols)
      : RowsOfTeam(block, rows, cols, kColumnLeaf) {}

  /// The leaf to which this row belongs, with an element for each column. The first row of a leaf
  /// sets all elements to the reducer's initial value. A thread has the same columns in all rows,
  /// so threads need not wait for each other.
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
  /// \param rows a RowsOfTeam, or another class of rows with a member function team()
  template <typename Rows>
  __device__ __forceinline__ explicit RowReduction(const Rows &rows)
      : cuda::RowReduction<Reducer, T, N>(rows.team()) {}
};

}  // namespace device
}  // namespace packet

namespace cuda {

/// Launches a kernel with \p count thread groups for each chunk.
/// \param kernel as StartCall takes it
/// \param leaves how many leaves a thread group reduces
/// \param parts how many chunks there are: the height of the grid
/// \throws Error that names the rule, if the launch fails
template <typename Kernel, typename Plan>
void LaunchTeams(const char *rule, const LaunchScope &scope, const Kernel &kernel, index_t leaves,
                 index_t count, index_t parts, const Plan &plan) {
  unsigned threads = kRowLanes;
  while (threads < kRowThreads && static_cast<index_t>(threads / kRowLanes) < leaves) threads *= 2;
  const unsigned teams = kRowThreads / threads;
  constexpr index_t kMaxBlocks = index_t{1} << 30;
  const index_t blocks = (count + static_cast<index_t>(teams) - 1) / static_cast<index_t>(teams);
  const Grid grid = {static_cast<unsigned>(blocks < kMaxBlocks ? blocks : kMaxBlocks),
                     static_cast<unsigned>(parts), threads, teams};
  StartCall(rule, scope, kernel, grid, count, plan);
}

/// Launches a kernel with a thread group for each row, or for every \p each rows.
/// \param stream a Stream<gpu> *, null for the current device's default stream
/// \throws Error that names the rule, if the launch fails
template <typename Kernel, typename Plan>
void LaunchRows(const char *rule, const Kernel &kernel, const Plan &plan, void *stream,
                index_t each = 1) {
  LaunchTeams(rule, LaunchScope(rule, stream), kernel, (plan.cols + kRowLeaf - 1) / kRowLeaf,
              (plan.rows + each - 1) / each, 1, plan);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_ROW_TEAM_CUH_
