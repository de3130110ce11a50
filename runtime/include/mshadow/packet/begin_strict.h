// SPDX-License-Identifier: Apache-2.0
/// \file begin_strict.h
/// begin_baseline.h, and the intrinsics of all regions. Emitted .cc files include one of the two
/// last, before their regions. Headers, which must leave the includer's settings alone, use
/// strict_push.h and strict_pop.h instead.
#if defined(__x86_64__)
#include <immintrin.h>  // a third of a second, so not for those who only include emitted headers
#endif

#include "mshadow/packet/begin_baseline.h"
