// SPDX-License-Identifier: Apache-2.0
/// \file check_step.h
/// What MSHADOW_CHECK_STEP calls, in rules and in what is emitted of them.
#ifndef MSHADOW_CHECK_STEP_H_
#define MSHADOW_CHECK_STEP_H_

#include "mshadow/base.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
[[noreturn]] void ThrowStep(const char *rule, const char *name, int64_t step, int64_t most);

/// That the number of an update is from 1 on, and at most what the rule's type of it holds.
inline void CheckStep(const char *rule, const char *name, int64_t step,
                      int64_t most = 0x7fffffffffffffff) {
  if (step < 1 || step > most) ThrowStep(rule, name, step, most);
}
}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_CHECK_STEP_H_
