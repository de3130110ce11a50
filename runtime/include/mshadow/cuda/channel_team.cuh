// SPDX-License-Identifier: Apache-2.0
/// \file channel_team.cuh
/// Kernels of rules that have values for channels (channels.h). A thread group of kRowLanes * slots
/// threads takes a channel. Thread t is lane t % kRowLanes of slot s = t / kRowLanes. Slot s takes
/// leaves s, s + slots, s + 2 * slots and so on of the channel, whichever planes these are in. So a
/// channel is reduced in the order of row_tree.h, whatever the number of slots.
#ifndef MSHADOW_CUDA_CHANNEL_TEAM_CUH_
#define MSHADOW_CUDA_CHANNEL_TEAM_CUH_

#include "mshadow/cuda/phase_team.cuh"
#include "mshadow/emitted/channels.h"

namespace mshadow {
namespace cuda {

/// The thread group of a channel, which then goes on to another channel. All thread groups of a
/// block go on together. A group for which no channel is left has the last one, without its
/// elements.
class ChannelTeam : public PhaseTeam {
 public:
  __device__ __forceinline__ ChannelTeam(const BlockOfCall &block, const ChannelShape &shape,
                                         const Parts &parts, index_t phase)
      : PhaseTeam(block, parts, phase),
        shape_(shape),
        first_(static_cast<index_t>(block.x) * blockDim.y) {}

  __device__ __forceinline__ bool done() const { return first_ >= shape_.kept; }
  __device__ __forceinline__ void next() { first_ += blocks() * blockDim.y; }
  __device__ __forceinline__ bool has_channel() const { return first_ + team() < shape_.kept; }
  __device__ __forceinline__ index_t channel() const {
    return has_channel() ? first_ + team() : shape_.kept - 1;
  }
  __device__ __forceinline__ index_t number() const { return channel(); }
  /// The address of an operand's value for the channel, or for all channels.
  template <typename Operand>
  __device__ __forceinline__ auto *ValueIn(const Operand &operand) const {
    return operand.row(number());
  }
  /// Whether this thread is to store the channel's values.
  __device__ __forceinline__ bool stores() const { return has_channel() && is_first(); }
  __device__ __forceinline__ const ChannelShape &shape() const { return shape_; }

  /// The address of a chunk's kRowLanes results for the group's channel. A row of results has room
  /// for a multiple of the channels that a block may take.
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
  index_t first_;  ///< the channel of the block's first group
};

/// The thread group of a plane.
class PlaneTeam : public ChannelTeam {
 public:
  /// \param planes each a channel of its own
  /// \param channels plane p is one of channel p % channels
  __device__ __forceinline__ PlaneTeam(const BlockOfCall &block, const ChannelShape &planes,
                                       index_t channels, const Parts &parts)
      : ChannelTeam(block, planes, parts, kAllPhases), channels_(channels) {}
  __device__ __forceinline__ index_t number() const { return channel() % channels_; }
  template <typename Operand>
  __device__ __forceinline__ auto *ValueIn(const Operand &operand) const {
    return operand.row(number());
  }
  /// This thread's first element of the chunk, and one past the chunk's last element.
  __device__ __forceinline__ Place place() const {
    return {begin() * kRowLeaf + static_cast<index_t>(threadIdx.x), shape().inner, shape().cols,
            channel() * shape().inner};
  }
  __device__ __forceinline__ index_t end_of_elements() const {
    return has_channel() ? LeafEnd((end() - 1) * kRowLeaf, shape().plane()) : 0;
  }

 private:
  const index_t channels_;
};

/// Goes over the leaves of a channel that are in the group's chunk, one for each slot in a round:
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
  /// This thread's first element, as an index in the plane, and one past the last of its leaf.
  __device__ __forceinline__ index_t begin() const { return own_.begin() + team_.lane(); }
  __device__ __forceinline__ index_t end() const {
    return team_.has_channel() && first_ + team_.slot() < team_.end() ? own_.end() : 0;
  }
  __device__ __forceinline__ index_t row(index_t y) const { return own_.row(y); }
  __device__ __forceinline__ index_t before() const { return own_.before(); }
  __device__ __forceinline__ index_t channel() const { return team_.channel(); }
  /// How many leaves are left, including those of this round.
  __device__ __forceinline__ index_t left() const { return team_.end() - first_; }

 private:
  const ChannelTeam &team_;
  ChannelLeaves own_;
  index_t first_;  ///< the leaf of the first slot
};

}  // namespace cuda

namespace packet {
namespace device {

/// The leaves of a channel that one slot takes.
class LeavesOfChannel : public cuda::ChannelRounds {
 public:
  explicit __device__ __forceinline__ LeavesOfChannel(const cuda::ChannelTeam &team)
      : ChannelRounds(team), shape_(team.shape()) {}
  __device__ __forceinline__ RowsOfLeaf<LeavesOfChannel> rows() const { return RowsOfLeaf(*this); }
  __device__ __forceinline__ cuda::Place place() const {
    return {begin(), shape_.inner, shape_.cols, row(0)};
  }

  /// The value of an operand that has one value for each channel, or one for all channels.
  template <typename Operand>
  __device__ __forceinline__ auto ValueOf(const Operand &operand) const {
    return Broadcast<1>(*operand.row(channel()));
  }

 private:
  const ChannelShape &shape_;
};

/// The elements of a channel that one thread takes in a pass that reduces nothing.
class RowsOfChannel : public RowOfPlace<cuda::Place> {
 public:
  explicit __device__ __forceinline__ RowsOfChannel(const cuda::ChannelTeam &team)
      : RowsOfChannel(LeavesOfChannel(team)) {}
  __device__ __forceinline__ bool done() const { return leaf_.done(); }
  __device__ __forceinline__ void next() {
    at_.Move(kRowLanes);
    Find();
  }

  /// Calls step(At). The bool asks for non-temporal stores, which a GPU does not need.
  template <typename Out, typename Step>
  __device__ __forceinline__ void ForEach(const Out &, const Step &step, bool = false) const {
    step(At<1, AllLanes>{at_.x(), {}});
  }

 private:
  explicit __device__ __forceinline__ RowsOfChannel(const LeavesOfChannel &leaf)
      : RowOfPlace(leaf.place()), leaf_(leaf) {
    Find();
  }

  /// Goes on to a leaf that has an element of this thread.
  __device__ __forceinline__ void Find() {
    while (!leaf_.done() && at_.index() >= leaf_.end()) {
      leaf_.next();
      at_ = leaf_.place();
    }
  }

  LeavesOfChannel leaf_;
};

/// What a thread group does with the values of a channel.
template <typename Team>
class ValuesOfTeam : public PhasesOfTeam<Team> {
 public:
  using PhasesOfTeam<Team>::PhasesOfTeam;
  using PhasesOfTeam<Team>::team;
  using PhasesOfTeam<Team>::ValueOf;
  __device__ __forceinline__ index_t number() const { return team().number(); }

  /// The same for a value that an earlier launch kept.
  template <typename T>
  __device__ __forceinline__ auto ValueOf(T *kept) const {
    return Broadcast<1>(kept[number()]);
  }
  /// Takes a value that an earlier launch computed, in \p phase.
  template <typename Kept, typename Value>
  __device__ __forceinline__ void TakeGiven(index_t phase, const Kept &kept, Value &value) const {
    if (team().is_behind(phase)) value = ValueOf(kept);
  }
  /// Stores a value. All threads have it; one of them stores it.
  template <typename Operand, typename Value>
  __device__ __forceinline__ void Put(const Operand &operand, const Value &value) const {
    if (team().stores()) Store(team().ValueIn(operand), value, AllLanes());
  }
  /// Keeps a value for later launches.
  template <typename T, typename Value>
  __device__ __forceinline__ void Keep(T *kept, const Value &value) const {
    if (team().does_one() && team().stores()) Store(kept + number(), value, AllLanes());
  }
};

/// A channel of a block, which on a GPU has one.
template <typename Channels>
class ChannelOfBlock {
 public:
  explicit __device__ __forceinline__ ChannelOfBlock(const Channels &channels)
      : channels_(channels) {}
  __device__ __forceinline__ bool done() const { return is_done_; }
  __device__ __forceinline__ void next() { is_done_ = true; }
  __device__ __forceinline__ index_t number() const { return channels_.number(); }
  template <typename Operand>
  __device__ __forceinline__ auto ValueOf(const Operand &operand) const {
    return channels_.ValueOf(operand);
  }
  template <typename Operand, typename Value>
  __device__ __forceinline__ void Put(const Operand &operand, const Value &value) const {
    channels_.Put(operand, value);
  }
  __device__ __forceinline__ void Sync() const { channels_.Sync(); }

 private:
  const Channels &channels_;
  bool is_done_ = false;
};

/// The channels that a thread group takes.
class ChannelsOfTeam : public ValuesOfTeam<cuda::ChannelTeam> {
 public:
  __device__ __forceinline__ ChannelsOfTeam(const cuda::BlockOfCall &block,
                                            const ChannelShape &shape, const Parts &parts,
                                            index_t phase)
      : ValuesOfTeam(cuda::ChannelTeam(block, shape, parts, phase)) {}
  __device__ __forceinline__ LeavesOfChannel leaves() const { return LeavesOfChannel(team()); }
  __device__ __forceinline__ RowsOfChannel rows() const { return RowsOfChannel(team()); }
  /// A kernel on a CPU may go over several channels side by side; here it is this channel.
  __device__ __forceinline__ ChannelOfBlock<ChannelsOfTeam> channels() const {
    return ChannelOfBlock(*this);
  }
};

/// The elements of a plane that one thread takes. Neighbouring threads take neighbouring elements.
class RowsOfPlane : public RowOfPlace<cuda::Place> {
 public:
  explicit __device__ __forceinline__ RowsOfPlane(const cuda::PlaneTeam &team)
      : RowOfPlace(team.place()), end_(team.end_of_elements()) {}
  __device__ __forceinline__ bool done() const { return at_.index() >= end_; }
  __device__ __forceinline__ void next() { at_.Move(static_cast<index_t>(blockDim.x)); }

  /// Calls step(At). The bool asks for non-temporal stores, which a GPU does not need.
  template <typename Out, typename Step>
  __device__ __forceinline__ void ForEach(const Out &, const Step &step, bool = false) const {
    step(At<1, AllLanes>{at_.x(), {}});
  }

 private:
  const index_t end_;
};

/// The planes that a thread group takes, each of one channel.
class PlanesOfTeam : public ValuesOfTeam<cuda::PlaneTeam> {
 public:
  __device__ __forceinline__ PlanesOfTeam(const cuda::BlockOfCall &block,
                                          const ChannelShape &planes, index_t channels,
                                          const Parts &parts)
      : ValuesOfTeam(cuda::PlaneTeam(block, planes, channels, parts)) {}
  __device__ __forceinline__ RowsOfPlane rows() const { return RowsOfPlane(team()); }
};

/// One reduction of each channel of a block.
template <typename Reducer, typename T, int N>
class BlockReduction : public RowReduction<Reducer, T, N> {
 public:
  using RowReduction<Reducer, T, N>::RowReduction;
  template <typename Channel>
  __device__ __forceinline__ auto Finish(const Channel &) {
    return RowReduction<Reducer, T, N>::Finish();
  }
};

}  // namespace device
}  // namespace packet

namespace cuda {

/// Launches a kernel with a thread group for each chunk of a channel, by LaunchPhases.
template <typename Kernel, typename Plan, typename... Pointers>
void LaunchChannels(const char *rule, const Kernel &kernel, const Plan &plan, void *stream,
                    std::initializer_list<bool> phases, Pointers Plan::Kept::*...kept) {
  const index_t channels = plan.channels.kept;
  Plan run = plan;
  run.parts = ShareOut(plan.channels.leaves(), 1, channels);
  LaunchPhases(rule, kernel, run, stream, channels, 1, phases,
               run.parts.count * ChannelTeam::Width(channels) * kRowLanes, kept...);
}

/// Launches a kernel with a thread group for each chunk of a plane.
/// \throws Error that names the rule, if the launch fails
template <typename Kernel, typename Plan>
void LaunchPlanes(const char *rule, const Kernel &kernel, const Plan &plan, void *stream) {
  const index_t planes = plan.channels.kept;
  Plan run = plan;
  run.parts = ShareOut(plan.channels.leaves(), 1, planes);
  LaunchTeams(rule, LaunchScope(rule, stream), kernel, run.parts.part, planes,
              run.parts.count > 0 ? run.parts.count : 1, run);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_CHANNEL_TEAM_CUH_
