// SPDX-License-Identifier: Apache-2.0
/// \file streaming.h
/// Non-temporal stores. A kernel uses them for a tensor that it writes and does not read, if the
/// launch moves at least StreamingBytes(). An ordinary store to a line that is not in the cache
/// reads the line first. A non-temporal store does not, and evicts nothing.
#ifndef MSHADOW_STREAMING_H_
#define MSHADOW_STREAMING_H_

#include <cstdint>

#include "mshadow/emitted/plan.h"

namespace mshadow {

/// The least number of bytes with which a launch uses non-temporal stores. The default is the size
/// of the last-level cache, but at most 32 MiB for each logical processor of the machine, and at
/// least 32 MiB.
int64_t StreamingBytes();

/// Sets StreamingBytes, for all threads. 0: every launch uses non-temporal stores; a negative
/// number: the default. Use it for measurements; results do not change.
void SetStreamingBytes(int64_t bytes);

/// Not for users. At most StreamingBytes(): a launch that moves fewer bytes than this need not call
/// that function.
extern int64_t least_streaming_bytes;

/// Whether a launch that moves \p bytes uses non-temporal stores.
MSHADOW_CINLINE bool Streams(int64_t bytes) {
  return bytes >= __atomic_load_n(&least_streaming_bytes, __ATOMIC_RELAXED) &&
         bytes >= StreamingBytes();
}

/// Whether each row of an operand, of \p cols elements, begins and ends where a cache line of
/// 64 bytes does. If ordinary and non-temporal stores write to the same line, each kind waits until
/// the other has reached memory.
template <typename T>
MSHADOW_CINLINE bool FillsLines(const PlanView<T> &rows, int64_t cols) {
  constexpr int64_t kLine = 64, kElement = sizeof(T);
  return reinterpret_cast<uintptr_t>(rows.dptr) % kLine == 0 &&
         rows.stride * kElement % kLine == 0 && cols * kElement % kLine == 0;
}

/// Whether FillsLines holds, or rows have at least 32 KiB. In such long rows, the partly filled
/// lines at the two ends cost little.
template <typename T>
MSHADOW_CINLINE bool FillsMostLines(const PlanView<T> &rows, int64_t cols) {
  constexpr int64_t kLongRow = 32 << 10, kElement = sizeof(T);
  return cols * kElement >= kLongRow || FillsLines(rows, cols);
}

/// Copies \p bytes, a multiple of 64, with non-temporal stores. \p to is aligned to 64 bytes;
/// \p from need not be. Other threads may not see the bytes until this thread has called
/// FinishStreaming.
void StoreLines(void *to, const void *from, int64_t bytes);

/// Orders this thread's non-temporal stores before its later stores. A thread that waits for this
/// one then sees them. Does nothing unless \p streams.
MSHADOW_CINLINE void FinishStreaming(bool streams) {
#if defined(__x86_64__)
  if (streams) __builtin_ia32_sfence();
#else
  static_cast<void>(streams);
#endif
}

}  // namespace mshadow

#endif  // MSHADOW_STREAMING_H_
