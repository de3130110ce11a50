// SPDX-License-Identifier: Apache-2.0
#include "driver/limits.h"

#include <llvm/Support/ErrorHandling.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <new>
#include <system_error>
#include <utility>

#include "driver/exit_code.h"

namespace mgen {
namespace {

double ProcessorSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The memory in use; 0 if the system does not tell.
uint64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t size = 0, resident = 0;
  return file >> size >> resident ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

/// Checks every tenth of a second, until `done` is set.
void Watch(const std::future<void> &done, double seconds, uint64_t bytes,
           const std::function<void(const std::string &)> &bite) {
  const double start = ProcessorSeconds();
  while (done.wait_for(std::chrono::milliseconds(100)) == std::future_status::timeout) {
    const bool slow = ProcessorSeconds() - start > seconds;
    if (!slow && ResidentBytes() <= bytes) continue;
    return bite(slow ? std::to_string(static_cast<int64_t>(seconds)) + " s of processor time"
                     : std::to_string(bytes >> 20) + " MiB of memory");
  }
}

void Say(const char *text) { static_cast<void>(!write(STDERR_FILENO, text, std::strlen(text))); }

/// Ends the process. It allocates no memory.
[[noreturn]] void EndProcess() {
  Say("mshadow-gen: error: ");
  Say(kOutOfMemory);
  Say("\n");
  _exit(kExitInternal);
}

void OnBadAlloc(void *, const char *, bool) {
  if (const std::new_handler handler = std::get_new_handler()) handler();
  throw std::bad_alloc();
}

}  // namespace

Watchdog::Watchdog(double seconds, uint64_t bytes, std::function<void(const std::string &)> bite) {
  try {
    thread_ = std::thread(Watch, done_.get_future(), seconds, bytes, std::move(bite));
  } catch (const std::system_error &) {
    // Without another thread there are no limits.
  }
}

Watchdog::~Watchdog() {
  done_.set_value();
  if (thread_.joinable()) thread_.join();
}

const char kOutOfMemory[] =
    "out of memory; nothing was written. A run needs 1 GiB of address space and a thread; each "
    "further spec that is parsed at the same time needs 512 MiB and a thread more: see 'ulimit -v' "
    "and 'ulimit -u'";

void HandleLackOfMemoryInLlvm() { llvm::install_bad_alloc_error_handler(OnBadAlloc); }

EndsWithoutMemory::EndsWithoutMemory() : before_(std::set_new_handler(EndProcess)) {}

}  // namespace mgen
