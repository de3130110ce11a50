// SPDX-License-Identifier: Apache-2.0
/// \file channel_team.cuh
/// Kernels of rules that have values for channels (channels.h). A team of kRowLanes * slots threads
/// takes a channel: thread t has lane t % kRowLanes of its leaf t / kRowLanes, and of every
/// slots-th one after it, whichever planes these are in. So a channel is reduced in the order of
/// row_tree.h whatever the number of slots.
#ifndef MSHADOW_CUDA_CHANNEL_TEAM_CUH_
#define MSHADOW_CUDA_CHANNEL_TEAM_CUH_

#include "mshadow/channels.h"
#include "mshadow/cuda/phase_team.cuh"

namespace mshadow {
namespace cuda {

/// The threads of a channel, which go on to others. All threads of a block go round together: a
/// team without a channel has the last one, without elements.
class ChannelTeam : public PhaseTeam {
 public:
  __device__ __forceinline__ ChannelTeam(const ChannelShape &shape, const Parts &parts,
                                         index_t phase)
      : PhaseTeam(parts, phase),
        shape_(shape),
        first_(static_cast<index_t>(blockIdx.x) * blockDim.y) {}

  __device__ __forceinline__ bool done() const { return first_ >= shape_.kept; }
  __device__ __forceinline__ void next() { first_ += static_cast<index_t>(gridDim.x) * blockDim.y; }
  __device__ __forceinline__ bool has_channel() const { return first_ + team() < shape_.kept; }
  __device__ __forceinline__ index_t channel() const {
    return has_channel() ? first_ + team() : shape_.kept - 1;
  }
  /// Whether this thread is to store the channel's values.
  __device__ __forceinline__ bool stores() const { return has_channel() && is_first(); }
  __device__ __forceinline__ const ChannelShape &shape() const { return shape_; }

  /// Where a part's results for the team's channel are: kRowLanes of them. There are as many
  /// channels in a row as a block may have, or a multiple of that.
  template <typename T>
  __device__ __forceinline__ T *at(T *results, index_t part) const {
    return results + (part * Width(shape_.kept) + first_ + team()) * kRowLanes;
  }
  MSHADOW_XINLINE static index_t Width(index_t channels) {
    constexpr index_t kTeams = kRowThreads / kRowLanes;
    return (channels + kTeams - 1) / kTeams * kTeams;
  }

 private:
  const ChannelShape &shape_;
  index_t first_;  ///< channel of the block's first team
};

/// The leaves of a channel that are in the team's part, `slots` of them at a time:
///
///     for (ChannelRounds leaf(team); !leaf.done(); leaf.next())
///       for (Place at(leaf.begin(), inner, cols); at.index() < leaf.end(); at.Move(kRowLanes))
///         … element (leaf.row(at.y()), at.x()) …
class ChannelRounds {
 public:
  __device__ __forceinline__ explicit ChannelRounds(const ChannelTeam &team)
      : team_(team),
        own_(team.shape(), team.channel(), team.begin() + team.slot(), team.slots()),
        first_(team.begin()) {}

  __device__ __forceinline__ bool done() const { return first_ >= team_.end(); }
  __device__ __forceinline__ void next() {
    first_ += team_.slots();
    own_.next();
  }
  /// The first element of this thread's in its plane, and one past the last of its leaf.
  __device__ __forceinline__ index_t begin() const { return own_.begin() + team_.lane(); }
  __device__ __forceinline__ index_t end() const {
    return team_.has_channel() && first_ + team_.slot() < team_.end() ? own_.end() : 0;
  }
  __device__ __forceinline__ index_t row(index_t y) const { return own_.row(y); }
  __device__ __forceinline__ index_t before() const { return own_.before(); }
  /// How many leaves there are from the first one of this round.
  __device__ __forceinline__ index_t left() const { return team_.end() - first_; }

 private:
  const ChannelTeam &team_;
  ChannelLeaves own_;
  index_t first_;  ///< leaf of the first slot
};

/// Launches `kernel(plan, phase)` with a team for each part of a channel: LaunchPhases.
template <typename Plan, typename... Pointers>
void LaunchChannels(const char *rule, void (*kernel)(Plan, index_t), const Plan &plan, void *stream,
                    std::initializer_list<bool> phases, Pointers Plan::Kept::*...kept) {
  const index_t channels = plan.channels.kept;
  Plan run = plan;
  run.parts = ShareOut(plan.channels.leaves(), 1, channels);
  LaunchPhases(rule, kernel, run, stream, channels, 1, phases,
               run.parts.count * ChannelTeam::Width(channels) * kRowLanes, kept...);
}

/// Launches `kernel(plan)` with a team for each part of a plane.
/// \throws Error if the launch fails; names the rule
template <typename Plan>
void LaunchPlanes(const char *rule, void (*kernel)(Plan), const Plan &plan, void *stream) {
  const index_t planes = plan.channels.kept;
  Plan run = plan;
  run.parts = ShareOut(plan.channels.leaves(), 1, planes);
  LaunchTeams(LaunchScope(rule, stream), kernel, run.parts.part, planes,
              run.parts.count > 0 ? run.parts.count : 1, run);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_CHANNEL_TEAM_CUH_
