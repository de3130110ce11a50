// SPDX-License-Identifier: Apache-2.0
/// \file mix.h
/// The least that a rule can cost if memory limits it: its own reads and writes, and next to no
/// arithmetic.
#ifndef MSHADOW_BENCHMARKS_MIX_H_
#define MSHADOW_BENCHMARKS_MIX_H_

#include <cstdint>

namespace mshadow_bench {

/// Bytes of each of `size` elements: read and written in place, copied, only read, only written.
struct Mix {
  const char *from;  ///< what is copied, of all elements; then what is read
  char *to;          ///< what is updated, of all elements; then copies; then what is written
  int64_t size;
  int updated, copied, read, written;
};

/// The mix of a rule that moves `bytes` for an element, of which it writes `written`, and whose
/// tensors hold `held` bytes.
Mix MixOf(int64_t size, int bytes, int written, int held);

/// Moves the bytes of elements [begin, end).
void MoveMix(const Mix &mix, int64_t begin, int64_t end);

}  // namespace mshadow_bench

#endif  // MSHADOW_BENCHMARKS_MIX_H_
