// SPDX-License-Identifier: Apache-2.0
#include "worker_threads.h"

#include <algorithm>
#include <system_error>
#include <thread>

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Starts threads until there are \p count, or no more are to be had.
void WorkerThreads::Grow(int count) {
  try {
    while (workers_ < count) {
      std::thread(&WorkerThreads::Work, this, workers_ + 1, round_).detach();
      ++workers_;
    }
  } catch (const std::system_error &) {
    // The calling thread does the rest.
  }
}

void WorkerThreads::Work(int index, uint64_t seen) {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    begins_.wait(lock, [&] { return round_ != seen; });
    seen = round_;
    if (index >= tasks_) continue;
    const Task task = task_;
    const void *const context = context_;
    lock.unlock();
    task(context, index);
    lock.lock();
    if (--left_ == 0) ends_.notify_one();
  }
}

bool WorkerThreads::TryRun(int tasks, Task task, const void *context) {
  const std::unique_lock<std::mutex> user(in_use_, std::try_to_lock);
  if (!user.owns_lock()) return false;
  int others;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    Grow(tasks - 1);
    others = std::min(workers_, tasks - 1);
    tasks_ = others + 1;
    left_ = others;
    task_ = task;
    context_ = context;
    ++round_;
  }
  begins_.notify_all();
  task(context, 0);
  for (int rest = others + 1; rest < tasks; ++rest) task(context, rest);
  std::unique_lock<std::mutex> lock(mutex_);
  ends_.wait(lock, [this] { return left_ == 0; });
  return true;
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
