// SPDX-License-Identifier: Apache-2.0
/// \file column_team.cuh
/// Kernels of rules that reduce columns. A team of kRowLanes * slots threads takes kRowLanes of
/// them side by side: thread t has column t % kRowLanes, and of that the leaf t / kRowLanes and
/// every slots-th one after it, so that a column is reduced in the order of row_tree.h whatever the
/// number of slots. Columns with few leaves have small teams, several of them in a block.
///
/// Many columns make many teams, each of which does all phases in one launch. Of few columns the
/// rows are shared out in parts (parts.h), whole subtrees of the reductions, so that there are
/// enough teams; a part's results are there for the others when a launch ends, so a launch does one
/// phase.
#ifndef MSHADOW_CUDA_COLUMN_TEAM_CUH_
#define MSHADOW_CUDA_COLUMN_TEAM_CUH_

#include <initializer_list>

#include "mshadow/cuda/part_team.cuh"

namespace mshadow {
namespace cuda {

constexpr index_t kAllPhases = -1;  ///< of a launch; else the number of its only one

/// The threads of some columns, which go on to others. All threads of a block go round together: a
/// thread without a column has the last one, without elements.
class ColumnTeam : public Team {
 public:
  __device__ __forceinline__ ColumnTeam(const Parts &parts, index_t cols, index_t phase)
      : parts_(parts),
        cols_(cols),
        phase_(phase),
        first_(static_cast<index_t>(blockIdx.x) * step()) {}

  __device__ __forceinline__ bool done() const { return first_ >= cols_; }
  __device__ __forceinline__ void next() { first_ += static_cast<index_t>(gridDim.x) * step(); }
  /// Whether there is a column for this thread, and it is to store its values.
  __device__ __forceinline__ bool stores() const { return has_column() && slot() == 0; }
  __device__ __forceinline__ index_t x() const { return has_column() ? column() : cols_ - 1; }

  /// Whether this launch does a phase; whether it does that one only; whether another one did.
  __device__ __forceinline__ bool does(index_t phase) const {
    return phase_ == kAllPhases || phase_ == phase;
  }
  __device__ __forceinline__ bool does_only(index_t phase) const { return phase_ == phase; }
  __device__ __forceinline__ bool is_behind(index_t phase) const { return phase_ > phase; }

  __device__ __forceinline__ bool has_column() const { return column() < cols_; }
  /// The part's rows.
  __device__ __forceinline__ index_t begin() const { return parts_.Begin(part()); }
  __device__ __forceinline__ index_t end() const { return parts_.End(part()); }
  __device__ __forceinline__ index_t part() const { return static_cast<index_t>(blockIdx.y); }
  __device__ __forceinline__ const Parts &parts() const { return parts_; }

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

  const Parts &parts_;
  index_t cols_;
  index_t phase_;
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

/// Reduces the parts' results.
template <typename Reduction, typename T>
__device__ void TakeParts(const ColumnTeam &team, const T *results, Reduction *reduction) {
  for (PartRounds round(team, team.parts()); !round.done(); round.next()) {
    reduction->Begin();
    if (round.has_part()) reduction->TakePart(team.at(results, round.part()));
    reduction->Push(round);
  }
}

/// \p rows in parts of so many leaves as is a power of two: one, unless columns make so few teams
/// that a GPU has blocks for several times as many.
inline Parts PartsOfRows(index_t rows, index_t cols) {
  constexpr index_t kTeams = 512, kFew = 4;
  const index_t teams = (cols + kRowLanes - 1) / kRowLanes;
  index_t part = kRowThreads / kRowLanes * kColumnLeaf;  // a round of the largest team
  while (part < rows && teams * rows > kTeams * part) part *= 2;
  while (part < rows && kFew * part > rows) part *= 2;
  return {rows, part, (rows + part - 1) / part};
}

/// Launches `kernel(plan, phase)` with a team for every kRowLanes columns of each part.
/// \param stream a Stream<gpu> *, null for the current device's default stream
/// \param phases of each whether it is a sweep over the rows; else it is done once for a column
/// \param kept what stays between two launches: the parts' results, and values
/// \throws Error if a launch fails; names the rule
template <typename Plan, typename... Pointers>
void LaunchColumns(const char *rule, void (*kernel)(Plan, index_t), const Plan &plan, void *stream,
                   std::initializer_list<bool> phases, Pointers Plan::Kept::*...kept) {
  const LaunchScope scope(rule, stream);
  const index_t teams = (plan.cols + kRowLanes - 1) / kRowLanes;
  Plan run = plan;
  run.parts = PartsOfRows(plan.rows, plan.cols);
  if (run.parts.count <= 1) {
    const index_t leaves = (plan.rows + kColumnLeaf - 1) / kColumnLeaf;
    return LaunchTeams(scope, kernel, leaves, teams, 1, run, index_t{kAllPhases});
  }
  const size_t results = static_cast<size_t>(run.parts.count * ColumnTeam::Width(plan.cols));
  const Workspace memory(stream, (size_t{1} + ... + (results * sizeof(*(run.kept.*kept)))));
  char *next = static_cast<char *>(memory.get());
  const auto take = [&](auto **pointer) {
    *pointer = reinterpret_cast<std::decay_t<decltype(*pointer)>>(next);
    next += results * sizeof(**pointer);
  };
  (take(&(run.kept.*kept)), ...);
  index_t number = 0;
  for (const bool sweeps : phases) {
    LaunchTeams(scope, kernel, sweeps ? run.parts.part / kColumnLeaf : run.parts.count, teams,
                sweeps ? run.parts.count : 1, run, index_t{number});
    ++number;
  }
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_COLUMN_TEAM_CUH_
