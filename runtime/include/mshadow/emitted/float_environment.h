// SPDX-License-Identifier: Apache-2.0
/// \file float_environment.h
/// Sets and restores the floating-point control register of a thread.
#ifndef MSHADOW_FLOAT_ENVIRONMENT_H_
#define MSHADOW_FLOAT_ENVIRONMENT_H_

#include "mshadow/detail/config.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// While it lives, the thread rounds to nearest and keeps subnormals, and traps are off. Without
/// it, a single library linked with -Ofast turns subnormals off for its whole process, and worker
/// threads then differ from their caller.
class StrictFloatEnvironment {
 public:
#if defined(__x86_64__)
  /// Exception flags are left alone, as arithmetic anywhere raises them: nearly every program has
  /// some, a write waits for all that is in flight, and reading them again to see whether the work
  /// raised more costs as much as adding sixteen numbers.
  StrictFloatEnvironment() : saved_(__builtin_ia32_stmxcsr()) {
    if (!is_strict()) __builtin_ia32_ldmxcsr(kStrict);
  }
  ~StrictFloatEnvironment() {
    if (!is_strict()) __builtin_ia32_ldmxcsr(saved_);
  }
#elif defined(__aarch64__)
  StrictFloatEnvironment() {
    __asm__ volatile("mrs %0, fpcr" : "=r"(saved_));
    if (saved_ != kStrict) __asm__ volatile("msr fpcr, %0" : : "r"(kStrict));
  }
  ~StrictFloatEnvironment() {
    if (saved_ != kStrict) __asm__ volatile("msr fpcr, %0" : : "r"(saved_));
  }
#endif
  StrictFloatEnvironment(const StrictFloatEnvironment &) = delete;
  StrictFloatEnvironment &operator=(const StrictFloatEnvironment &) = delete;

 private:
#if defined(__x86_64__)
  static constexpr unsigned kStrict = 0x1f80;  // all exceptions masked, nothing else
  static constexpr unsigned kFlags = 0x3f;     // exceptions that have been raised
  bool is_strict() const { return (saved_ | kFlags) == (kStrict | kFlags); }
  unsigned saved_;
#elif defined(__aarch64__)
  static constexpr uint64_t kStrict = 0;
  uint64_t saved_;
#endif
};

}  // namespace detail

/// What \p make returns, computed in the environment of kernels. A compiler does not know of
/// rounding modes, and moves arithmetic past a change of the register. So the code hides from it
/// that \p make reads values set before the change, and that the result is used after it.
template <typename Make>
auto Strictly(const Make &make) {
  const detail::StrictFloatEnvironment strict;
  const Make *opaque = &make;
  __asm__ volatile("" : "+r"(opaque) : : "memory");
  auto result = (*opaque)();
  __asm__ volatile("" : : "r"(&result) : "memory");
  return result;
}

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_FLOAT_ENVIRONMENT_H_
