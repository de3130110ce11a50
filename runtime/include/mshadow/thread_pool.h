// SPDX-License-Identifier: Apache-2.0
/// \file thread_pool.h
/// Which threads of the CPU run loops, and how many of them: ThreadLimit, SetThreadPool.
/// docs/manual/threads.md is the manual.
#ifndef MSHADOW_THREAD_POOL_H_
#define MSHADOW_THREAD_POOL_H_

#include "mshadow/parallel.h"

namespace mshadow {

/// While a ThreadLimit lives, at most \p count threads run the bodies of the ParallelFor calls that
/// this thread makes. If a thread has several, the smallest count applies. The limit holds for each
/// call of a rule, each run of a list and each evaluation of an expression. If \p count is above 1,
/// OpenMP's other threads wake up, too, but get no elements. Threads of BLAS are not limited.
class ThreadLimit {
 public:
  /// \throws Error if \p count is below 1
  explicit ThreadLimit(int count);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit &) = delete;
  ThreadLimit &operator=(const ThreadLimit &) = delete;

 private:
  int outer_;
};

/// How an application runs tasks in its threads: calls task(context, i) once for each i in
/// [0, tasks), in any threads and any order, and returns when all calls have returned. If task i
/// always goes to the same thread, the memory that it touched first stays near that thread. Several
/// threads may call a PoolFunction at once. A task never calls a PoolFunction. Neither a task nor a
/// PoolFunction may throw.
/// \param pool what SetThreadPool was given
using PoolFunction = void (*)(void *pool, int tasks, void (*task)(const void *context, int index),
                              const void *context);

/// From now on ParallelFor runs in threads of the application, and in none of OpenMP or of the
/// runtime. Call it while no other thread calls the runtime.
/// \param run null: ParallelFor runs in threads of OpenMP or of the runtime again, and the other
///     arguments are ignored
/// \param pool passed to \p run
/// \param threads how many tasks the pool runs at the same time. This becomes the default number of
///     threads, unless MSHADOW_NUM_THREADS gives another
/// \throws Error if \p run is not null and \p threads is below 1
void SetThreadPool(PoolFunction run, void *pool, int threads);

}  // namespace mshadow

#endif  // MSHADOW_THREAD_POOL_H_
