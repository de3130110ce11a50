// SPDX-License-Identifier: Apache-2.0
#include "driver/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace mgen {
namespace {

constexpr size_t kMaxThreads = 8;

}  // namespace

void ForEachIndex(size_t n, const std::function<void(size_t)> &work) {
  std::atomic<size_t> next{0};
  std::vector<std::exception_ptr> failures(n);
  const auto run = [&] {
    for (size_t i = next++; i < n; i = next++) {
      try {
        work(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  const size_t processors = std::max(1u, std::thread::hardware_concurrency());
  const size_t wanted = std::min({n, processors, kMaxThreads});
  std::vector<std::thread> others;
  try {
    while (others.size() + 1 < wanted) others.emplace_back(run);
  } catch (const std::system_error &) {
    // There can be no more threads, so these do all the work.
  }
  run();
  for (std::thread &other : others) other.join();
  for (const std::exception_ptr &failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace mgen
