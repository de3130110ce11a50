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

/// Launches `kernel(plan, phase)` with a team for every kRowLanes columns of each part:
/// LaunchPhases.
template <typename Plan, typename... Pointers>
void LaunchColumns(const char *rule, void (*kernel)(Plan, index_t), const Plan &plan, void *stream,
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
