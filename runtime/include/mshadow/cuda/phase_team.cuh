// SPDX-License-Identifier: Apache-2.0
/// \file phase_team.cuh
/// Kernels of rules that reduce columns or channels. If there are many of these, there are many
/// thread groups, and each does all phases in one launch. If there are few, each is divided into
/// chunks (parts.h), whole subtrees of the reductions, so that there are enough thread groups. They
/// see each other's partial sums only when a launch has ended. So a launch then does one phase.
#ifndef MSHADOW_CUDA_PHASE_TEAM_CUH_
#define MSHADOW_CUDA_PHASE_TEAM_CUH_

#include <initializer_list>

#include "mshadow/cuda/part_team.cuh"

namespace mshadow {
namespace cuda {

/// A thread group of a launch, with its chunk and the phases that it does.
class PhaseTeam : public Team {
 public:
  __device__ __forceinline__ PhaseTeam(const BlockOfCall &block, const Parts &parts, index_t phase)
      : parts_(parts), phase_(phase), part_(block.y), blocks_(block.width) {}

  /// Whether this launch does the phase.
  __device__ __forceinline__ bool does(index_t phase) const {
    return phase_ == kAllPhases || phase_ == phase;
  }
  /// Whether an earlier launch did the phase.
  __device__ __forceinline__ bool is_behind(index_t phase) const {
    return does_one() && phase_ > phase;
  }
  /// Whether this launch does one phase only: later launches read what it stores.
  __device__ __forceinline__ bool does_one() const { return phase_ != kAllPhases; }

  /// The rows, or leaves, of the chunk.
  __device__ __forceinline__ index_t begin() const { return parts_.Begin(part()); }
  __device__ __forceinline__ index_t end() const { return parts_.End(part()); }
  __device__ __forceinline__ index_t part() const { return part_; }
  __device__ __forceinline__ const Parts &parts() const { return parts_; }

 protected:
  /// How many blocks the grid has for each chunk.
  __device__ __forceinline__ index_t blocks() const { return blocks_; }

 private:
  const Parts &parts_;
  index_t phase_;
  index_t part_;
  index_t blocks_;
};

/// Combines the partial sums of the chunks.
template <typename Team, typename Reduction, typename T>
__device__ void TakeParts(const Team &team, const T *results, Reduction *reduction) {
  MSHADOW_DEVICE_UNROLL_BY(1)
  for (PartRounds round(team, team.parts()); !round.done(); round.next()) {
    reduction->Begin();
    if (round.has_part()) reduction->TakePart(team.at(results, round.part()));
    reduction->Push(round);
  }
}

}  // namespace cuda

namespace packet {
namespace device {

/// What a thread group does with channels or columns. A launch does all phases, or one phase. If it
/// does one, it stores its results for later phases.
/// \tparam Team ChannelTeam, …: knows the addresses of values
/// \tparam N elements that a thread takes at a time
template <typename Team, int N = 1>
class PhasesOfTeam {
 public:
  static constexpr int kLanes = N;

  explicit __device__ __forceinline__ PhasesOfTeam(const Team &team) : team_(team) {}
  __device__ __forceinline__ bool done() const { return team_.done(); }
  __device__ __forceinline__ void next() { team_.next(); }
  __device__ __forceinline__ const Team &team() const { return team_; }

  /// Whether this launch does a phase.
  __device__ __forceinline__ bool Does(index_t phase) const { return team_.does(phase); }
  /// Waits for all threads of the block.
  __device__ __forceinline__ void Sync() const { team_.Sync(); }

  /// The value of an operand that has one value for the channel, or one for all.
  template <typename Operand>
  __device__ __forceinline__ auto ValueOf(const Operand &operand) const {
    return Broadcast<N>(*team_.ValueIn(operand));
  }
  /// Stores the partial sum of this chunk.
  template <typename T, typename Reduction>
  __device__ __forceinline__ void KeepPart(T *kept, Reduction &reduction) const {
    if (team_.does_one()) reduction.FinishPart(team_.at(kept, team_.part()));
  }
  /// Combines the partial sums that an earlier launch stored.
  template <typename T, typename Reduction>
  __device__ __forceinline__ void TakeParts(const T *kept, Reduction &reduction) const {
    if (team_.does_one()) cuda::TakeParts(team_, kept, &reduction);
  }

 private:
  Team team_;
};

}  // namespace device
}  // namespace packet

namespace cuda {

/// Divides \p size rows or leaves into chunks. A chunk has \p leaf times a power of two of them.
/// There is one chunk, unless a GPU could run several times as many thread groups as \p teams.
inline Parts ShareOut(index_t size, index_t leaf, index_t teams) {
  constexpr index_t kTeams = 512, kFew = 4;
  index_t part = kRowThreads / kRowLanes * leaf;  // a round of the largest team
  while (part < size && teams * size > kTeams * part) part *= 2;
  while (part < size && kFew * part > size) part *= 2;
  return {size, part, (size + part - 1) / part};
}

/// Launches a kernel for each phase from phase \p first on; see LaunchPhases for the other
/// parameters.
template <typename Kernel, typename Plan, typename... Pointers>
void LaunchPhasesFrom(index_t first, const char *rule, const Kernel &kernel, Plan plan,
                      void *stream, index_t teams, index_t leaf, std::initializer_list<bool> phases,
                      index_t results, Pointers Plan::Kept::*...kept) {
  const LaunchScope scope(rule, stream);
  const Parts parts = plan.parts;
  ::mshadow::detail::Workspace workspace(::mshadow::detail::WorkspaceOfStream, stream);
  [[maybe_unused]] const auto take = [&](auto **to) {
    *to = workspace.Take<std::remove_pointer_t<std::decay_t<decltype(*to)>>>(results);
  };
  (take(&(plan.kept.*kept)), ...);
  plan.launch.phase = 0;
  for (const bool sweeps : phases) {
    if (plan.launch.phase >= first) {
      LaunchTeams(rule, scope, kernel, sweeps ? parts.part / leaf : parts.count, teams,
                  sweeps ? parts.count : 1, plan);
    }
    ++plan.launch.phase;
  }
}

/// Launches a kernel with \p teams thread groups for each chunk of the plan.
/// \param kernel as StartCall takes it
/// \param leaf rows, or leaves, that a slot of a thread group takes at a time
/// \param phases for each phase: true if it is a pass, false if it is an epilogue
/// \param results how many elements each of \p kept has
/// \param kept members that keep partial sums and values from launch to launch
/// \throws Error that names the rule, if a launch fails
template <typename Kernel, typename Plan, typename... Pointers>
void LaunchPhases(const char *rule, const Kernel &kernel, Plan plan, void *stream, index_t teams,
                  index_t leaf, std::initializer_list<bool> phases, index_t results,
                  Pointers Plan::Kept::*...kept) {
  const Parts parts = plan.parts;
  plan.launch.phase = kAllPhases;
  if (parts.count <= 1) {
    return LaunchTeams(rule, LaunchScope(rule, stream), kernel, (parts.size + leaf - 1) / leaf,
                       teams, 1, plan);
  }
  LaunchPhasesFrom(0, rule, kernel, plan, stream, teams, leaf, phases, results, kept...);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_PHASE_TEAM_CUH_
