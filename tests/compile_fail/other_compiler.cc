// SPDX-License-Identifier: Apache-2.0
// expected: mshadow needs GCC or Clang
#include <cfloat>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#ifdef MUST_FAIL  // as MSVC and clang-cl define it
#undef __GNUC__
#endif
#include <mshadow/detail/config.h>
