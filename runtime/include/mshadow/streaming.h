// SPDX-License-Identifier: Apache-2.0
/// \file streaming.h
/// Stores past the cache: what a kernel writes and does not read, where it moves more than the
/// cache holds. A store to memory that is not in the cache reads it first; one past the cache does
/// not, and leaves what is there.
#ifndef MSHADOW_STREAMING_H_
#define MSHADOW_STREAMING_H_

#include <cstdint>

#include "mshadow/emitted/plan.h"

namespace mshadow {

/// From how many bytes on a launch stores past the cache: what the last-level cache of this
/// processor holds, 32 MB for each processor of the machine at most, and 32 MB at least; or what
/// was set.
int64_t StreamingBytes();

/// From now on \p bytes, in any thread: 0 for every launch; a negative number for what is said
/// above. For those who measure or compare: results are the same.
void SetStreamingBytes(int64_t bytes);

/// Not for users: below, StreamingBytes need not be asked.
extern int64_t least_streaming_bytes;

/// Whether a launch that moves \p bytes stores past the cache.
MSHADOW_CINLINE bool Streams(int64_t bytes) {
  return bytes >= __atomic_load_n(&least_streaming_bytes, __ATOMIC_RELAXED) &&
         bytes >= StreamingBytes();
}

/// Whether the rows of an operand, \p cols elements each, are whole lines of the cache. Where
/// stores past the cache meet ordinary ones in a line, each waits until the other is in memory.
template <typename T>
MSHADOW_CINLINE bool FillsLines(const PlanView<T> &rows, int64_t cols) {
  constexpr int64_t kLine = 64, kElement = sizeof(T);
  return reinterpret_cast<uintptr_t>(rows.dptr) % kLine == 0 &&
         rows.stride * kElement % kLine == 0 && cols * kElement % kLine == 0;
}

/// The same, or they are so long that it does not matter where they begin and end.
template <typename T>
MSHADOW_CINLINE bool FillsMostLines(const PlanView<T> &rows, int64_t cols) {
  constexpr int64_t kLongRow = 32 << 10, kElement = sizeof(T);
  return cols * kElement >= kLongRow || FillsLines(rows, cols);
}

/// Stores \p bytes, whole lines of the cache, past it. Until FinishStreaming others may not see
/// them.
void StoreLines(void *to, const void *from, int64_t bytes);

/// Ends a thread's stores past the cache, so that those who learn of its end find them.
MSHADOW_CINLINE void FinishStreaming(bool streams) {
#if defined(__x86_64__)
  if (streams) __builtin_ia32_sfence();
#else
  static_cast<void>(streams);
#endif
}

}  // namespace mshadow

#endif  // MSHADOW_STREAMING_H_
