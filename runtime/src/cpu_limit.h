// SPDX-License-Identifier: Apache-2.0
/// \file cpu_limit.h
/// How many processors a container may use.
#ifndef MSHADOW_RUNTIME_CPU_LIMIT_H_
#define MSHADOW_RUNTIME_CPU_LIMIT_H_

#include <string>

#include "mshadow/detail/config.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// The processors' time that the control groups of this process may use, in processors, rounded up:
/// the least limit of its own group and all groups around it, of versions 1 and 2. 0 without a
/// limit.
/// \param root a directory in which /proc and all else is looked up; "" for the machine's
int CpuLimit(const std::string &root);

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_CPU_LIMIT_H_
