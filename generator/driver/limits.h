// SPDX-License-Identifier: Apache-2.0
/// \file limits.h
/// Limits of what a parse may take. Clang cannot be interrupted, and exceptions cannot pass through
/// it, so that going over them ends the process, which has written nothing by then.
#ifndef MSHADOW_GENERATOR_DRIVER_LIMITS_H_
#define MSHADOW_GENERATOR_DRIVER_LIMITS_H_

#include <cstdint>
#include <functional>
#include <future>
#include <new>
#include <string>
#include <thread>

namespace mgen {

/// While it lives, looks every tenth of a second whether the process keeps to its limits.
class Watchdog {
 public:
  /// \param seconds of processor time, of all threads, from now on
  /// \param bytes of memory; not looked at where the system does not tell
  /// \param bite called once, with what there was more than: "60 s of processor time"
  Watchdog(double seconds, uint64_t bytes, std::function<void(const std::string &)> bite);
  ~Watchdog();

 private:
  std::promise<void> done_;
  std::thread thread_;
};

/// What is said where memory ends.
extern const char kOutOfMemory[];

/// From here on LLVM and Clang, which would abort, do for a lack of memory what `new` does.
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
