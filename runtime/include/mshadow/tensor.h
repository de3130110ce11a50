// SPDX-License-Identifier: Apache-2.0
/// \file tensor.h
/// All of the expression API, with the standard headers that code written for mshadow takes for
/// granted, and std::min and std::max that take an index_t beside other integers. Compile with
/// -DMSHADOW_STD_HEADERS=0 where that includes what it uses: a file takes a third less time to
/// parse then.
#ifndef MSHADOW_TENSOR_H_
#define MSHADOW_TENSOR_H_

#if !__has_include("mshadow/api.h")
#error \
    "mshadow's headers include each other as mshadow/...: add the folder above theirs, too, with -I"
#endif
#include "mshadow/api.h"

#ifndef MSHADOW_STD_HEADERS
#define MSHADOW_STD_HEADERS 1
#endif
#if MSHADOW_STD_HEADERS && !defined(__MSHADOW_GEN__)  // specs are parsed without any
#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>

#ifndef MSHADOW_MIXED_MIN_MAX
#define MSHADOW_MIXED_MIN_MAX 1
#endif
#if MSHADOW_MIXED_MIN_MAX
#include "mshadow/detail/mixed_min_max.h"
#endif
#endif

#endif  // MSHADOW_TENSOR_H_
