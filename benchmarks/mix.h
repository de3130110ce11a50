// SPDX-License-Identifier: Apache-2.0
/// \file mix.h
/// The least that a rule can cost if memory limits it: its own reads and writes, and next to no
/// arithmetic.
#ifndef MSHADOW_BENCHMARKS_MIX_H_
#define MSHADOW_BENCHMARKS_MIX_H_

#include <cstdint>

namespace mshadow_bench {

/// The bytes of each of `size` elements. Some are copied; then some more are either read or
/// written. In memory the copied ones of all elements come first.
struct Mix {
  const void *from;
  void *to;
  int64_t size;
  int copied, read, written;
};

/// Moves the bytes of elements [begin, end).
void MoveMix(const Mix &mix, int64_t begin, int64_t end);

}  // namespace mshadow_bench

#endif  // MSHADOW_BENCHMARKS_MIX_H_
