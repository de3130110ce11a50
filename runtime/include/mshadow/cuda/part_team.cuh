// SPDX-License-Identifier: Apache-2.0
/// \file part_team.cuh
/// Kernels of rules that reduce everything, one for each phase. In a pass that reduces, a block
/// takes a chunk of the elements (parts.h). An epilogue runs in one block, which first combines the
/// partial sums of the chunks.
#ifndef MSHADOW_CUDA_PART_TEAM_CUH_
#define MSHADOW_CUDA_PART_TEAM_CUH_

#include <utility>

#include "mshadow/cuda/row_team.cuh"
#include "mshadow/emitted/parts.h"

namespace mshadow {
namespace cuda {

/// The threads of a block, which takes one chunk after another.
class PartTeam : public Team {
 public:
  __device__ __forceinline__ PartTeam(const BlockOfCall &block, const Parts &parts)
      : parts_(parts), blocks_(block.width), part_(block.x) {}
  __device__ __forceinline__ bool done() const { return part_ >= parts_.count; }
  __device__ __forceinline__ void next() { part_ += blocks_; }
  __device__ __forceinline__ index_t part() const { return part_; }
  __device__ __forceinline__ index_t begin() const { return parts_.Begin(part_); }
  __device__ __forceinline__ index_t end() const { return parts_.End(part_); }

 private:
  const Parts &parts_;
  const index_t blocks_;  ///< of the grid
  index_t part_;
};

/// Goes over the leaves of a chunk, one for each slot in a round:
///
///     for (PartLeaves leaf(team); !leaf.done(); leaf.next())
///       for (Place at(leaf.begin(), cols); at.index() < leaf.end(); at.Move(kRowLanes)) …
class PartLeaves {
 public:
  __device__ __forceinline__ explicit PartLeaves(const PartTeam &team)
      : team_(team), first_(team.begin()) {}
  __device__ __forceinline__ bool done() const { return first_ >= team_.end(); }
  __device__ __forceinline__ void next() { first_ += team_.slots() * kRowLeaf; }
  /// This thread's first element, and one past the last element of its leaf.
  __device__ __forceinline__ index_t begin() const { return own() + team_.lane(); }
  __device__ __forceinline__ index_t end() const {
    return own() < team_.end() ? LeafEnd(own(), team_.end()) : 0;
  }
  /// How many leaves are left, including those of this round.
  __device__ __forceinline__ index_t left() const {
    return (team_.end() - first_ + kRowLeaf - 1) / kRowLeaf;
  }

 private:
  __device__ __forceinline__ index_t own() const { return first_ + team_.slot() * kRowLeaf; }

  const PartTeam &team_;
  index_t first_;  ///< the first element of the first slot's leaf
};

/// Goes over the partial sums of a reduction, one for each slot in a round.
class PartRounds {
 public:
  __device__ __forceinline__ PartRounds(const Team &team, const Parts &parts)
      : team_(team), count_(parts.count) {}
  __device__ __forceinline__ bool done() const { return first_ >= count_; }
  __device__ __forceinline__ void next() { first_ += team_.slots(); }
  /// Whether there is a partial sum for this thread's slot, and the chunk that it belongs to.
  __device__ __forceinline__ bool has_part() const { return part() < count_; }
  __device__ __forceinline__ index_t part() const { return first_ + team_.slot(); }
  __device__ __forceinline__ index_t left() const { return count_ - first_; }

 private:
  const Team &team_;
  index_t count_;
  index_t first_ = 0;
};

/// An element by its row-major index, counted from row \p first_row of memory on. If there is only
/// one row, no index is divided.
class Place {
 public:
  __device__ __forceinline__ Place(index_t index, index_t rows, index_t cols, index_t first_row = 0)
      : index_(index), rows_(rows), cols_(cols), first_row_(first_row) {}
  __device__ __forceinline__ index_t index() const { return index_; }
  __device__ __forceinline__ void Move(index_t distance) { index_ += distance; }
  __device__ __forceinline__ index_t y() const {
    return first_row_ + (rows_ == 1 ? 0 : index_ / cols_);
  }
  __device__ __forceinline__ index_t x() const { return rows_ == 1 ? index_ : index_ % cols_; }

 private:
  index_t index_, rows_, cols_, first_row_;
};

/// Goes over the elements of one thread in a pass that reduces nothing. The distance between two of
/// them is the number of threads of the grid.
class GridPlaces : public Place {
 public:
  __device__ __forceinline__ GridPlaces(const BlockOfCall &block, index_t rows, index_t cols)
      : Place(block.column(), rows, cols), threads_(block.columns()), size_(rows * cols) {}
  __device__ __forceinline__ bool done() const { return index() >= size_; }
  __device__ __forceinline__ void next() { Move(threads_); }

 private:
  index_t threads_;  ///< of the grid
  index_t size_;
};

}  // namespace cuda

namespace packet {
namespace device {

/// An element that a thread takes, as a row of one element.
template <typename Place>
class RowOfPlace {
 public:
  __device__ __forceinline__ explicit RowOfPlace(const Place &at) : at_(at) {}
  __device__ __forceinline__ index_t y() const { return at_.y(); }

  template <typename Operand>
  __device__ __forceinline__ auto Of(const Operand &operand) const {
    return RowAt(operand, y());
  }
  /// The value of an operand that has one for each row, or for all.
  template <typename Operand>
  __device__ __forceinline__ auto ValueOf(const Operand &operand) const {
    return Broadcast<1>(*operand.row(y()));
  }

 protected:
  Place at_;
};

/// The elements of a leaf that one thread takes.
template <typename Leaf>
class RowsOfLeaf : public RowOfPlace<cuda::Place> {
 public:
  explicit __device__ __forceinline__ RowsOfLeaf(const Leaf &leaf)
      : RowOfPlace(leaf.place()), leaf_(leaf) {}
  __device__ __forceinline__ bool done() const { return at_.index() >= leaf_.end(); }
  __device__ __forceinline__ void next() { at_.Move(kRowLanes); }
  /// The index of element 0 of the row, among the elements that are reduced together.
  __device__ __forceinline__ index_t number() const {
    return leaf_.before() + at_.index() - at_.x();
  }

  /// Calls step(At, accumulators…). The accumulators are the thread's own.
  template <typename Step, typename... Reductions>
  __device__ __forceinline__ void Sweep(const Step &step, Reductions &...reductions) const {
    step(At<1, AllLanes>{at_.x(), {}}, reductions.part()...);
  }
  /// The bool asks for non-temporal stores, which a GPU does not need.
  template <typename T, typename Step, typename... Reductions>
  __device__ __forceinline__ void Sweep(const OperandRow<T> &, bool, const Step &step,
                                        Reductions &...reductions) const {
    Sweep(step, reductions...);
  }

 private:
  const Leaf &leaf_;
};

/// The leaves of a chunk that one slot takes.
class LeavesOfPart : public cuda::PartLeaves {
 public:
  __device__ __forceinline__ LeavesOfPart(const cuda::PartTeam &team, index_t rows, index_t cols)
      : PartLeaves(team), rows_(rows), cols_(cols) {}
  __device__ __forceinline__ RowsOfLeaf<LeavesOfPart> rows() const { return RowsOfLeaf(*this); }
  __device__ __forceinline__ cuda::Place place() const { return {begin(), rows_, cols_}; }
  /// Elements are counted from here.
  __device__ __forceinline__ index_t before() const { return 0; }

 private:
  const index_t rows_, cols_;
};

/// The chunks that a block takes in a pass that reduces.
class PartsOfBlock {
 public:
  static constexpr int kLanes = 1;

  __device__ __forceinline__ PartsOfBlock(const cuda::BlockOfCall &block, const Parts &parts,
                                          index_t rows, index_t cols)
      : team_(block, parts), rows_(rows), cols_(cols) {}
  __device__ __forceinline__ const cuda::PartTeam &team() const { return team_; }
  __device__ __forceinline__ bool done() const { return team_.done(); }
  __device__ __forceinline__ void next() { team_.next(); }
  __device__ __forceinline__ index_t number() const { return team_.part(); }
  __device__ __forceinline__ LeavesOfPart leaves() const { return {team_, rows_, cols_}; }

  /// The value of an operand that has one for all.
  template <typename Operand>
  __device__ __forceinline__ auto ValueOf(const Operand &operand) const {
    return Broadcast<1>(*operand.row(0));
  }

 private:
  cuda::PartTeam team_;
  const index_t rows_, cols_;
};

/// The elements that one thread takes in a pass that reduces nothing.
class ElementsOfGrid : public RowOfPlace<cuda::GridPlaces> {
 public:
  static constexpr int kLanes = 1;

  __device__ __forceinline__ ElementsOfGrid(const cuda::BlockOfCall &block, index_t rows,
                                            index_t cols)
      : RowOfPlace(cuda::GridPlaces(block, rows, cols)) {}
  __device__ __forceinline__ bool done() const { return at_.done(); }
  __device__ __forceinline__ void next() { at_.next(); }

  /// Calls step(At). The bool asks for non-temporal stores, which a GPU does not need.
  template <typename Out, typename Step>
  __device__ __forceinline__ void ForEach(const Out &, const Step &step, bool = false) const {
    step(At<1, AllLanes>{at_.x(), {}});
  }
};

/// An epilogue, which one block runs between passes.
class OnceOfBlock {
 public:
  static constexpr int kLanes = 1;

  __device__ __forceinline__ const cuda::Team &team() const { return team_; }

  /// The value of an operand that has one for all.
  template <typename Operand>
  __device__ __forceinline__ auto ValueOf(const Operand &operand) const {
    return Broadcast<1>(*operand.row(0));
  }
  /// Stores such a value. All threads have it; one of them stores it.
  template <typename Operand, typename Value>
  __device__ __forceinline__ void Put(const Operand &operand, const Value &value) const {
    Keep(operand.row(0), value);
  }
  /// Keeps a value for later passes.
  template <typename T, typename Value>
  __device__ __forceinline__ void Keep(T *kept, const Value &value) const {
    if (team_.is_first()) Store(kept, value, AllLanes());
  }
  /// Combines the partial sums of the chunks of a pass.
  template <typename T, typename Reduction>
  __device__ __forceinline__ void TakeParts(const Parts &parts, const PartsOf<T> &kept,
                                            Reduction &reduction) const {
    for (cuda::PartRounds round(team_, parts); !round.done(); round.next()) {
      reduction.Begin();
      if (round.has_part()) reduction.TakePart(kept[round.part()]);
      reduction.Push(round);
    }
  }

 private:
  const cuda::Team team_;
};

}  // namespace device
}  // namespace packet

namespace cuda {

/// The launches of a rule that reduces everything. They keep values from one launch to the next in
/// the workspace of the stream.
///
///     PhaseLaunches<Plan> launch("Lamb", plan, stream);
///     launch.Reduce(kernel1);  // a block for each chunk
///     launch.Once(kernel2);    // one block
///     launch.Sweep(kernel3);   // a thread for each element
///
/// In a list, the last block of kernel1 runs the epilogue, so that kernel2 need not be launched.
/// The kernels are such as StartCall takes them.
/// \throws Error that names the rule, if a launch fails
template <typename Plan>
class PhaseLaunches {
 public:
  PhaseLaunches(const char *rule, const Plan &plan, void *stream)
      : rule_(rule),
        scope_(rule, stream),
        workspace_(::mshadow::detail::WorkspaceOfStream, stream),
        plan_(plan) {
    plan_.kept = workspace_.Take<typename Plan::Kept>(1);
  }

  template <typename Kernel>
  void Reduce(const Kernel &kernel) {
    if (plan_.parts.count == 0) return;
    Start(kernel, static_cast<unsigned>(plan_.parts.count));
    runs_once_ = IsListing();
  }
  template <typename Kernel>
  void Once(const Kernel &kernel) {
    if (!std::exchange(runs_once_, false)) Start(kernel, 1);
  }
  template <typename Kernel>
  void Sweep(const Kernel &kernel) {
    if (plan_.parts.count == 0) return;
    constexpr Tuning kTuning = {kRowThreads, 1, 1, 32};
    Start(kernel, scope_.MakeGrid(kTuning, 1, plan_.parts.size, 1).x);
  }

 private:
  template <typename Kernel>
  void Start(const Kernel &kernel, unsigned blocks) {
    StartCall(rule_, scope_, kernel, {blocks, 1, kRowThreads, 1}, blocks, plan_);
  }

  const char *const rule_;
  const LaunchScope scope_;
  ::mshadow::detail::Workspace workspace_;
  Plan plan_;
  bool runs_once_ = false;  ///< the last kernel runs the epilogue
};

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_PART_TEAM_CUH_
