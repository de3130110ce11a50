// SPDX-License-Identifier: Apache-2.0
// Runs grids. One fiber takes the block's threads one after another; only when a thread waits at a
// barrier does another fiber carry on, so that kernels without barriers cost no switches.
#undef _FORTIFY_SOURCE  // its longjmp refuses to go to another stack
#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "include/cuda_runtime.h"
#include "state.h"

#if defined(__SANITIZE_ADDRESS__)
#define FAKE_CUDA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FAKE_CUDA_ASAN 1
#endif
#endif
#ifdef FAKE_CUDA_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

uint3 threadIdx;
uint3 blockIdx;
dim3 blockDim;
dim3 gridDim;

namespace fakecuda {
namespace {

constexpr size_t kStackBytes = 256 * 1024;
unsigned block_seed = 0;
long kernels_run = 0;
long threads_run = 0;

/// Where a fiber, or who resumes it, goes on.
struct Place {
  ucontext_t context;
  jmp_buf jump;  // after the first time
  bool can_jump = false;
};

/// Leaves one and goes on at the other; returns when somebody goes on at `from`.
void Go(Place *from, Place *to) {
#ifdef FAKE_CUDA_ASAN
  swapcontext(&from->context, &to->context);
#else
  // swapcontext asks the system for the signals' mask each time, which takes nearly all of it.
  if (_setjmp(from->jump) != 0) return;
  from->can_jump = true;
  if (to->can_jump) _longjmp(to->jump, 1);
  setcontext(&to->context);
#endif
}

/// What the threads of a warp exchange.
struct Warp {
  unsigned masks[32] = {};  // of the exchange to which a thread has given its value; 0: to none
  unsigned taken = 0;       // the threads that have taken another's value
  char values[32][8];

  /// Whether all threads of an exchange have given their values to it.
  bool IsComplete(unsigned mask) const {
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((mask >> lane & 1) != 0 && masks[lane] != mask) return false;
    }
    return true;
  }
  void End(unsigned mask) {
    taken &= ~mask;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((mask >> lane & 1) != 0) masks[lane] = 0;
    }
  }
};

struct Fiber {
  std::unique_ptr<char[]> stack{new char[kStackBytes]};
  Place place;
  uint3 thread;  // the one that it runs
};

class BlockRunner {
 public:
  explicit BlockRunner(const std::function<void()> &body) : body_(body) {}

  void Run(unsigned threads) {
    next_ = 0;
    threads_ = threads;
    warps_.assign((threads + 31) / 32, Warp());
    while (next_ < threads_) {
      Fiber *fiber = IdleFiber();
      Resume(fiber);
    }
    while (!waiting_.empty() || !shuffling_.empty()) {
      if (!shuffling_.empty()) {
        ResumeShuffling();
        continue;
      }
      if (waiting_.size() != threads_) {
        Fatal("a barrier was not reached by every thread of the block", nullptr);
      }
      std::vector<Fiber *> round;
      round.swap(waiting_);
      // The other way round each time: nothing may depend on which thread goes first.
      std::reverse(round.begin(), round.end());
      for (Fiber *fiber : round) Resume(fiber);
    }
  }

  /// Gives this thread's value and takes that of thread `from` of its `width` threads, once all
  /// threads of `mask` have given theirs. The last one to take a value ends the exchange.
  void Shuffle(unsigned mask, const void *value, void *result, size_t bytes, int from, int width) {
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned lane = thread % 32, own = 1u << lane;
    const unsigned other = lane / static_cast<unsigned>(width) * static_cast<unsigned>(width) +
                           static_cast<unsigned>(from % width);
    Warp &warp = warps_[thread / 32];
    if ((mask & own) == 0 || (mask & (1u << other)) == 0) {
      Fatal("a shuffle with a thread that its mask does not name", nullptr);
    }
    while (warp.masks[lane] != 0) LetOthersShuffle();
    std::memcpy(warp.values[lane], value, bytes);
    warp.masks[lane] = mask;
    progress_ = true;
    while (!warp.IsComplete(mask)) LetOthersShuffle();
    std::memcpy(result, warp.values[other], bytes);
    warp.taken |= own;
    progress_ = true;
    if ((warp.taken & mask) == mask) warp.End(mask);
  }

  void Wait() {
    Fiber *self = current_;
    waiting_.push_back(self);
    Switch(&self->place, &scheduler_, nullptr, 0);
  }

  static BlockRunner *active;

 private:
  void LetOthersShuffle() {
    Fiber *self = current_;
    shuffling_.push_back(self);
    Switch(&self->place, &scheduler_, nullptr, 0);
  }
  void ResumeShuffling() {
    progress_ = false;
    std::vector<Fiber *> round;
    round.swap(shuffling_);
    for (Fiber *fiber : round) Resume(fiber);
    if (!progress_ && shuffling_.size() == round.size()) {
      Fatal("a shuffle was not reached by every thread of its mask", nullptr);
    }
  }

  Fiber *IdleFiber() {
    if (!idle_.empty()) {
      Fiber *fiber = idle_.back();
      idle_.pop_back();
      return fiber;
    }
    fibers_.push_back(std::make_unique<Fiber>());
    Fiber *fiber = fibers_.back().get();
    ucontext_t *context = &fiber->place.context;
    getcontext(context);
    context->uc_stack.ss_sp = fiber->stack.get();
    context->uc_stack.ss_size = kStackBytes;
    context->uc_link = nullptr;
    makecontext(context, &BlockRunner::Main, 0);
    return fiber;
  }

  void Resume(Fiber *fiber) {
    current_ = fiber;
    threadIdx = fiber->thread;
    Switch(&scheduler_, &fiber->place, fiber->stack.get(), kStackBytes);
  }

  /// Body of a fiber.
  static void Main() {
    BlockRunner *runner = active;
    runner->Arrived();
    for (Fiber *self = runner->current_;;) {
      runner->RunThreads(self);
      runner->idle_.push_back(self);
      runner->Switch(&self->place, &runner->scheduler_, nullptr, 0);
    }
  }

  /// Threads of a block until none is left. A fiber that waited finishes its thread first.
  void RunThreads(Fiber *self) {
    while (next_ < threads_) {
      const unsigned t = next_++;
      const unsigned row = blockDim.x * blockDim.y;
      self->thread = {t % blockDim.x, t % row / blockDim.x, t / row};
      threadIdx = self->thread;
      body_();
      ++threads_run;
    }
  }

#ifdef FAKE_CUDA_ASAN
  void Switch(Place *from, Place *to, const void *stack, size_t bytes) {
    void *fake_stack = nullptr;
    const bool to_scheduler = stack == nullptr;
    __sanitizer_start_switch_fiber(&fake_stack, to_scheduler ? host_stack_ : stack,
                                   to_scheduler ? host_bytes_ : bytes);
    Go(from, to);
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
  }
  void Arrived() { __sanitizer_finish_switch_fiber(nullptr, &host_stack_, &host_bytes_); }
  const void *host_stack_ = nullptr;
  size_t host_bytes_ = 0;
#else
  void Switch(Place *from, Place *to, const void *, size_t) { Go(from, to); }
  void Arrived() {}
#endif

  const std::function<void()> &body_;
  unsigned next_ = 0;
  unsigned threads_ = 0;
  Fiber *current_ = nullptr;
  Place scheduler_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber *> idle_;
  std::vector<Fiber *> waiting_;
  std::vector<Fiber *> shuffling_;  // they wait for other threads of their warps
  std::vector<Warp> warps_;
  bool progress_ = false;
};

BlockRunner *BlockRunner::active = nullptr;

}  // namespace

void RunGrid(const std::function<void()> &body, dim3 grid, dim3 block) {
  BlockRunner runner(body);
  BlockRunner::active = &runner;
  gridDim = grid;
  blockDim = block;
  ++kernels_run;
  std::vector<uint3> blocks;
  for (unsigned z = 0; z < grid.z; ++z) {
    for (unsigned y = 0; y < grid.y; ++y) {
      for (unsigned x = 0; x < grid.x; ++x) blocks.push_back({x, y, z});
    }
  }
  if (block_seed != 0) std::shuffle(blocks.begin(), blocks.end(), std::minstd_rand(block_seed++));
  for (const uint3 &index : blocks) {
    blockIdx = index;
    runner.Run(block.x * block.y * block.z);
  }
  BlockRunner::active = nullptr;
}

void ShuffleBlocks(unsigned seed) { block_seed = seed; }

void Shuffle(unsigned mask, const void *value, void *result, size_t bytes, int from, int width) {
  BlockRunner::active->Shuffle(mask, value, result, bytes, from, width);
}
void Barrier() { BlockRunner::active->Wait(); }
long KernelsRun() { return kernels_run; }
long ThreadsRun() { return threads_run; }

cudaError_t Launch(std::function<void()> body, dim3 grid, dim3 block, cudaStream_t stream) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (!IsStream(stream)) return Fail(cudaErrorInvalidResourceHandle);
  const unsigned long threads = 1ul * block.x * block.y * block.z;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffu || grid.y > 65535 ||
      grid.z > 65535 || threads == 0 || threads > 1024 || block.z > 64) {
    return Fail(cudaErrorInvalidConfiguration);
  }
  // A stream of another device than the current one cannot take a kernel of this one.
  if (DeviceOfStream(stream) != CurrentDevice()) return Fail(cudaErrorInvalidResourceHandle);
  if (IsCapturing() && IsDefaultStream(stream)) {
    return RefuseInCapture(cudaErrorStreamCaptureImplicit);
  }
  const int device = CurrentDevice();
  Enqueue(stream, [body = std::move(body), grid, block, device] {
    DeviceAccess open(device);
    RunGrid(body, grid, block);
  });
  return cudaSuccess;
}

}  // namespace fakecuda
