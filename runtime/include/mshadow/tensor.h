// SPDX-License-Identifier: Apache-2.0
/// \file tensor.h
/// The whole expression API. The header includes the standard headers that code for the original
/// mshadow expects. It also adds std::min and std::max of an index_t and another integer type.
/// If your code includes what it uses, compile with -DMSHADOW_STD_HEADERS=0. A file then takes less
/// time to parse, but has no mixed std::min and std::max.
#ifndef MSHADOW_TENSOR_H_
#define MSHADOW_TENSOR_H_

#if !__has_include("mshadow/api.h")
#error \
    "mshadow's headers include each other as mshadow/...: add the directory above mshadow/ with -I"
#endif
#include "mshadow/api.h"

#ifndef MSHADOW_STD_HEADERS
#define MSHADOW_STD_HEADERS 1
#endif
#if MSHADOW_STD_HEADERS && !defined(__MSHADOW_GEN__)  // the generator parses specs without them
#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>

/// Define this macro as 0 to leave out std::min and std::max of mixed integer types.
#ifndef MSHADOW_MIXED_MIN_MAX
#define MSHADOW_MIXED_MIN_MAX 1
#endif
#if MSHADOW_MIXED_MIN_MAX
#include "mshadow/detail/mixed_min_max.h"
#endif
#endif

#endif  // MSHADOW_TENSOR_H_
