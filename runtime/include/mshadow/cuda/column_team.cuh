// SPDX-License-Identifier: Apache-2.0
/// \file column_team.cuh
/// Kernels of rules that reduce columns. A team of kRowLanes * slots threads takes kRowLanes of
/// them side by side: thread t has column t % kRowLanes, and of that the leaf t / kRowLanes and
/// every slots-th one after it, so that a column is reduced in the order of row_tree.h whatever the
/// number of slots. Columns with few leaves have small teams, several of them in a block.
#ifndef MSHADOW_CUDA_COLUMN_TEAM_CUH_
#define MSHADOW_CUDA_COLUMN_TEAM_CUH_

#include "mshadow/cuda/row_team.cuh"

namespace mshadow {
namespace cuda {

/// The threads of some columns, which go on to others. All threads of a block go round together: a
/// thread without a column has the last one, without elements.
class ColumnTeam : public Team {
 public:
  __device__ __forceinline__ ColumnTeam(index_t rows, index_t cols)
      : rows_(rows), cols_(cols), first_(static_cast<index_t>(blockIdx.x) * step()) {}

  __device__ __forceinline__ bool done() const { return first_ >= cols_; }
  __device__ __forceinline__ void next() { first_ += static_cast<index_t>(gridDim.x) * step(); }
  /// Whether there is a column for this thread, and it is to store its values.
  __device__ __forceinline__ bool stores() const { return has_column() && slot() == 0; }
  __device__ __forceinline__ index_t x() const { return has_column() ? column() : cols_ - 1; }

  __device__ __forceinline__ bool has_column() const { return column() < cols_; }
  __device__ __forceinline__ index_t rows() const { return rows_; }

 private:
  /// Columns of a block.
  __device__ __forceinline__ static index_t step() {
    return static_cast<index_t>(blockDim.y) * kRowLanes;
  }
  __device__ __forceinline__ index_t column() const { return first_ + team() * kRowLanes + lane(); }

  index_t rows_, cols_;
  index_t first_;  ///< column of the block's first thread
};

/// The leaves of a column, `slots` of them at a time:
///
///     for (ColumnLeaves leaf(team); !leaf.done(); leaf.next())
///       for (index_t y = leaf.begin(); y < leaf.end(); ++y) … element y …
class ColumnLeaves {
 public:
  __device__ __forceinline__ explicit ColumnLeaves(const ColumnTeam &team) : team_(team) {}
  __device__ __forceinline__ bool done() const { return first_ >= team_.rows(); }
  __device__ __forceinline__ void next() { first_ += team_.slots() * kColumnLeaf; }
  __device__ __forceinline__ index_t begin() const { return first_ + team_.slot() * kColumnLeaf; }
  __device__ __forceinline__ index_t end() const {
    return team_.has_column() && begin() < team_.rows() ? ColumnLeafEnd(begin(), team_.rows()) : 0;
  }
  /// How many leaves there are from the first one of this round.
  __device__ __forceinline__ index_t left() const {
    return (team_.rows() - first_ + kColumnLeaf - 1) / kColumnLeaf;
  }

 private:
  const ColumnTeam &team_;
  index_t first_ = 0;  ///< row of the first slot's leaf
};

/// Launches `kernel(plan)` with a team for every kRowLanes columns.
/// \param stream a Stream<gpu> *, null for the current device's default stream
/// \throws Error if the launch fails; names the rule
template <typename Plan>
void LaunchColumns(const char *rule, void (*kernel)(Plan), const Plan &plan, void *stream) {
  LaunchTeams(rule, kernel, plan, (plan.rows + kColumnLeaf - 1) / kColumnLeaf,
              (plan.cols + kRowLanes - 1) / kRowLanes, stream);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_COLUMN_TEAM_CUH_
