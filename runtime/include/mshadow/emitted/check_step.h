// SPDX-License-Identifier: Apache-2.0
/// \file check_step.h
/// CheckStep, which MSHADOW_CHECK_STEP calls in rules and in emitted code.
#ifndef MSHADOW_CHECK_STEP_H_
#define MSHADOW_CHECK_STEP_H_

#include "mshadow/base.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
[[noreturn]] void ThrowStep(const char *rule, const char *name, int64_t step, int64_t most);

/// \throws Error unless \p step is at least 1, and at most what its type in the rule can hold
inline void CheckStep(const char *rule, const char *name, int64_t step,
                      int64_t most = 0x7fffffffffffffff) {
  if (step < 1 || step > most) ThrowStep(rule, name, step, most);
}
}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_CHECK_STEP_H_
