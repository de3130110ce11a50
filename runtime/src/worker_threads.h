// SPDX-License-Identifier: Apache-2.0
/// \file worker_threads.h
/// Threads of the runtime's own, for builds without OpenMP.
#ifndef MSHADOW_RUNTIME_WORKER_THREADS_H_
#define MSHADOW_RUNTIME_WORKER_THREADS_H_

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "mshadow/detail/config.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Threads that wait for work. Each task but the first always runs in the same thread, so that the
/// memory that it uses stays near. The threads never end, and no WorkerThreads may be destroyed.
class WorkerThreads {
 public:
  using Task = void (*)(const void *context, int index);

  /// Runs task(context, i) for each i in [0, tasks): task 0 in the calling thread, the others each
  /// in a thread of their own as far as there are threads to be had.
  /// \returns false, and does nothing, if another thread uses the workers
  bool TryRun(int tasks, Task task, const void *context);

 private:
  void Grow(int count);
  void Work(int index, uint64_t seen);

  std::mutex in_use_;
  std::mutex mutex_;  ///< of all below
  std::condition_variable begins_, ends_;
  uint64_t round_ = 0;  ///< counts the calls of TryRun
  int workers_ = 0;     ///< run tasks 1 to workers_
  int tasks_ = 0;
  int left_ = 0;  ///< how many workers still run a task
  Task task_ = nullptr;
  const void *context_ = nullptr;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_WORKER_THREADS_H_
