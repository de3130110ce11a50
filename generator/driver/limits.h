// SPDX-License-Identifier: Apache-2.0
/// \file limits.h
/// Limits on the time and the memory of a parse. Clang cannot be interrupted, and exceptions cannot
/// pass through it. So a parse that exceeds a limit ends the process, which has not written
/// anything by then.
#ifndef MSHADOW_GENERATOR_DRIVER_LIMITS_H_
#define MSHADOW_GENERATOR_DRIVER_LIMITS_H_

#include <cstdint>
#include <functional>
#include <future>
#include <new>
#include <string>
#include <thread>

namespace mgen {

/// While it lives, checks every tenth of a second whether the process exceeds a limit.
class Watchdog {
 public:
  /// \param seconds of processor time, of all threads, from now on
  /// \param bytes of memory; ignored if the system does not tell how much the process has
  /// \param bite called once, with the limit that was exceeded: "60 s of processor time"
  Watchdog(double seconds, uint64_t bytes, std::function<void(const std::string &)> bite);
  ~Watchdog();

 private:
  std::promise<void> done_;
  std::thread thread_;
};

/// The message if memory runs out.
extern const char kOutOfMemory[];

/// After this call a lack of memory in LLVM or Clang, which would abort, is handled as `new`
/// handles it.
void HandleLackOfMemoryInLlvm();

/// While it lives, a lack of memory ends the process at once, with the message and kExitInternal.
class EndsWithoutMemory {
 public:
  EndsWithoutMemory();
  ~EndsWithoutMemory() { std::set_new_handler(before_); }

 private:
  std::new_handler before_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_LIMITS_H_
