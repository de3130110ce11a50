// SPDX-License-Identifier: Apache-2.0
#include "mshadow/parallel.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#ifdef _OPENMP
#include <omp.h>
#else
#include <system_error>
#include <thread>
#include <vector>
#endif

#include "mshadow/emitted/float_environment.h"

namespace mshadow {
namespace {

/// A thread must move this much to be worth starting: a fork and join costs about a microsecond
/// with OpenMP's pool, ten times that with threads made for the occasion.
#ifdef _OPENMP
constexpr index_t kBytesPerThread = index_t{1} << 17;
#else
constexpr index_t kBytesPerThread = index_t{1} << 20;
#endif

std::atomic<int> requested_threads{0};
std::atomic<bool> forked{false};

/// Registers what must happen in a child process, once, before main.
[[maybe_unused]] const bool fork_handler = [] {
  return pthread_atfork(nullptr, nullptr, [] { forked.store(true); }) == 0;
}();

int DefaultThreads() {
  static const int count = [] {
    const char *const text = std::getenv("MSHADOW_NUM_THREADS");
    const int named = text == nullptr ? 0 : std::atoi(text);
    if (named > 0) return named;
#ifdef _OPENMP
    return 0;  // OpenMP may be told a new number at any time
#else
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
#endif
  }();
#ifdef _OPENMP
  if (count == 0) return std::max(1, omp_get_max_threads());
#endif
  return count;
}

#ifdef _OPENMP
bool InParallelRegion() { return omp_in_parallel() != 0; }
#else
/// Whether this thread runs a piece of some Work that has several.
thread_local bool in_parallel = false;
bool InParallelRegion() { return in_parallel; }
#endif

/// A body and how it is split: the first \p longer pieces are share + 1 grains, the others share.
struct Work {
  index_t n, grain, share, longer;
  void (*body)(const void *context, index_t begin, index_t end);
  const void *context;

  /// The beginning of piece \p i, a multiple of the grain.
  index_t Begin(index_t i) const { return std::min(n, (i * share + std::min(i, longer)) * grain); }

  void Run(index_t piece) const {
    const index_t begin = Begin(piece);
    const index_t end = Begin(piece + 1);
    if (begin == end) return;
    const detail::StrictFloatEnvironment strict;
    body(context, begin, end);
  }
};

#ifdef _OPENMP
/// Threads are given numbers, not the address of a Work: they arrive with the news that there is
/// work, where one more line of the caller's cache would be one more wait of each thread. How many
/// threads there are, which one more such line says, only the caller asks.
MSHADOW_NOINLINE void RunInThreads(const Work &work, index_t pieces) {
  const index_t n = work.n, grain = work.grain, share = work.share, longer = work.longer;
  const auto body = work.body;
  const void *const context = work.context;
  index_t team = 0;  // which may be smaller than asked for
  for (index_t first = 0; first < pieces; first += team) {
#pragma omp parallel num_threads(static_cast<int>(pieces - first)) \
    firstprivate(n, grain, share, longer, body, context, first) shared(team)
    {
      const index_t thread = omp_get_thread_num();
      Work{n, grain, share, longer, body, context}.Run(first + thread);
      if (thread == 0) team = omp_get_num_threads();
    }
  }
}
#else
MSHADOW_NOINLINE void RunInThreads(const Work &work, index_t pieces) {
  std::vector<std::thread> threads;
  index_t next = 1;
  try {
    threads.reserve(static_cast<size_t>(pieces));
    for (; next < pieces; ++next) {
      threads.emplace_back([&work, next] {
        in_parallel = true;
        work.Run(next);
      });
    }
  } catch (const std::system_error &) {
    // No more threads to be had: this one does the rest.
  }
  in_parallel = true;
  work.Run(0);
  for (; next < pieces; ++next) work.Run(next);
  in_parallel = false;
  for (std::thread &thread : threads) thread.join();
}
#endif

/// Whether n elements are too few for two threads, which most calls are told without a division.
inline bool IsForOne(index_t n, index_t bytes_per_element) {
  const int64_t elements = n, bytes = bytes_per_element;
  const bool small = elements < kBytesPerThread && bytes < kBytesPerThread;
  return small && elements * bytes < kBytesPerThread;
}

/// How many threads are worth starting, and may be.
MSHADOW_NOINLINE index_t PiecesOf(index_t n, index_t bytes_per_element, index_t grain) {
  const index_t grains_per_thread =
      std::max<index_t>(1, kBytesPerThread / std::max<index_t>(1, bytes_per_element * grain));
  const index_t worthwhile = (n / grain) / grains_per_thread;
  if (worthwhile <= 1 || InParallelRegion() || forked.load(std::memory_order_relaxed)) return 1;
  return std::min<index_t>(worthwhile, NumThreads());
}

}  // namespace

index_t WorthwhileThreads(index_t n, index_t bytes_per_element) {
  return IsForOne(n, bytes_per_element) ? 1 : PiecesOf(n, bytes_per_element, 1);
}

void ParallelFor(index_t n, index_t bytes_per_element,
                 void (*body)(const void *context, index_t begin, index_t end), const void *context,
                 index_t grain) {
  if (n <= 0) return;
  if (!IsForOne(n, bytes_per_element)) {
    const index_t pieces = PiecesOf(n, bytes_per_element, grain);
    if (pieces > 1) {
      const index_t grains = (n + grain - 1) / grain;
      const Work work{n, grain, grains / pieces, grains % pieces, body, context};
      return RunInThreads(work, pieces);
    }
  }
  const detail::StrictFloatEnvironment strict;
  body(context, 0, n);
}

void SetNumThreads(int count) {
  requested_threads.store(std::max(0, count));
  forked.store(false);
}

int NumThreads() {
  const int count = requested_threads.load(std::memory_order_relaxed);
  return count > 0 ? count : DefaultThreads();
}

}  // namespace mshadow
