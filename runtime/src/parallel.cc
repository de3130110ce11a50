// SPDX-License-Identifier: Apache-2.0
#include "mshadow/parallel.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#ifdef _OPENMP
#include <omp.h>
#else
#include <thread>

#include "worker_threads.h"
#endif

#include "cpu_limit.h"
#include "mshadow/detail/exception.h"
#include "mshadow/emitted/float_environment.h"
#include "mshadow/thread_pool.h"

namespace mshadow {
namespace {

/// A thread must move this much to be worth starting: a fork and join costs about a microsecond
/// with OpenMP's pool, ten times that with threads that sleep until there is work.
#ifdef _OPENMP
constexpr index_t kBytesPerThread = index_t{1} << 17;
#else
constexpr index_t kBytesPerThread = index_t{1} << 20;
#endif

std::atomic<int> requested_threads{0};
std::atomic<bool> forked{false};
thread_local int thread_limit = 0;  ///< of ThreadLimit; 0: none

/// The application's threads.
std::atomic<PoolFunction> pool_function{nullptr};
std::atomic<void *> pool_object{nullptr};
std::atomic<int> pool_threads{0};

#ifndef _OPENMP
std::atomic<detail::WorkerThreads *> workers{nullptr};

/// The runtime's own threads. They are never destroyed: at exit they may still wait for work.
detail::WorkerThreads *Workers() {
  detail::WorkerThreads *own = workers.load();
  if (own != nullptr) return own;
  detail::WorkerThreads *const fresh = new detail::WorkerThreads;
  if (workers.compare_exchange_strong(own, fresh)) return fresh;
  delete fresh;  // another thread was faster
  return own;
}
#endif

void AfterFork() {
  forked.store(true);
#ifndef _OPENMP
  workers.store(nullptr);  // their threads are those of the parent
#endif
}

/// Registers what must happen in a child process, once, before main.
[[maybe_unused]] const bool fork_handler = [] {
  return pthread_atfork(nullptr, nullptr, AfterFork) == 0;
}();

/// \p count, or fewer if control groups allow fewer.
int Allowed(int count) {
  static const int limit = detail::CpuLimit("");
  return std::max(1, limit > 0 ? std::min(limit, count) : count);
}

int NamedThreads() {
  static const int count = [] {
    const char *const text = std::getenv("MSHADOW_NUM_THREADS");
    return text == nullptr ? 0 : std::max(0, std::atoi(text));
  }();
  return count;
}

int DefaultThreads() {
  if (NamedThreads() > 0) return NamedThreads();
  if (pool_function.load(std::memory_order_relaxed) != nullptr) return pool_threads.load();
#ifdef _OPENMP
  // OpenMP may be told a new number at any time. A number that was chosen is not changed.
  static const int processors = omp_get_num_procs();
  static const bool is_named = std::getenv("OMP_NUM_THREADS") != nullptr;
  const int count = std::max(1, omp_get_max_threads());
  return is_named || count != processors ? count : Allowed(count);
#else
  static const int count = Allowed(static_cast<int>(std::thread::hardware_concurrency()));
  return count;
#endif
}

/// How many threads there may be, whatever ThreadLimit says.
int AllThreads() {
  const int requested = requested_threads.load(std::memory_order_relaxed);
  return requested > 0 ? requested : DefaultThreads();
}

/// Whether this thread runs a piece of some Work that has several.
thread_local bool in_parallel = false;
bool InParallelRegion() {
#ifdef _OPENMP
  if (omp_in_parallel() != 0) return true;
#endif
  return in_parallel;
}

/// A body and how it is split: the first \p longer pieces are share + 1 grains, the others share.
struct Work {
  index_t n, grain, share, longer;
  void (*body)(const void *context, index_t begin, index_t end);
  const void *context;

  /// The beginning of piece \p i, a multiple of the grain; n for pieces beyond the last.
  index_t Begin(index_t i) const { return std::min(n, (i * share + std::min(i, longer)) * grain); }

  void Run(index_t piece) const {
    const index_t begin = Begin(piece);
    const index_t end = Begin(piece + 1);
    if (begin == end) return;
    const detail::StrictFloatEnvironment strict;
    body(context, begin, end);
  }
};

/// Runs a piece of a Work: a task of a pool.
void RunTask(const void *work, int piece) {
  in_parallel = true;
  static_cast<const Work *>(work)->Run(piece);
  in_parallel = false;
}

#ifdef _OPENMP
/// All threads take part, also if there are fewer pieces: GCC's OpenMP ends the threads that a
/// region leaves out, and later starts others elsewhere.
///
/// Threads are given numbers, not the address of a Work: they arrive with the news that there is
/// work, where one more line of the caller's cache would be one more wait of each thread. How many
/// threads there are, which one more such line says, only the caller asks.
MSHADOW_NOINLINE void RunInOwnThreads(const Work &work, index_t pieces) {
  const int all = std::max(static_cast<int>(pieces), AllThreads());
  const index_t n = work.n, grain = work.grain, share = work.share, longer = work.longer;
  const auto body = work.body;
  const void *const context = work.context;
  index_t team = 0;  // which may be smaller than asked for
  for (index_t first = 0; first < pieces; first += team) {
#pragma omp parallel num_threads(all) firstprivate(n, grain, share, longer, body, context, first) \
    shared(team)
    {
      const index_t thread = omp_get_thread_num();
      Work{n, grain, share, longer, body, context}.Run(first + thread);
      if (thread == 0) team = omp_get_num_threads();
    }
  }
}
#else
MSHADOW_NOINLINE void RunInOwnThreads(const Work &work, index_t pieces) {
  if (Workers()->TryRun(static_cast<int>(pieces), RunTask, &work)) return;
  // Another thread uses them, so all processors are busy.
  for (index_t piece = 0; piece < pieces; ++piece) RunTask(&work, static_cast<int>(piece));
}
#endif

void RunInThreads(const Work &work, index_t pieces) {
  const PoolFunction run = pool_function.load(std::memory_order_acquire);
  if (run == nullptr) return RunInOwnThreads(work, pieces);
  run(pool_object.load(), static_cast<int>(pieces), RunTask, &work);
}

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
  const int count = AllThreads();
  return thread_limit > 0 ? std::min(thread_limit, count) : count;
}

ThreadLimit::ThreadLimit(int count) : outer_(thread_limit) {
  if (count < 1) {
    throw Error("ThreadLimit: expected a count of at least 1, got " + std::to_string(count));
  }
  thread_limit = outer_ > 0 ? std::min(outer_, count) : count;
}
ThreadLimit::~ThreadLimit() { thread_limit = outer_; }

void SetThreadPool(PoolFunction run, void *pool, int threads) {
  if (run != nullptr && threads < 1) {
    throw Error("SetThreadPool: expected at least 1 thread, got " + std::to_string(threads));
  }
  pool_object.store(pool);
  pool_threads.store(threads);
  pool_function.store(run, std::memory_order_release);
  forked.store(false);
}

}  // namespace mshadow
