// SPDX-License-Identifier: Apache-2.0
#include "list_ahead.h"

#include <algorithm>

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

/// A longer tensor leaves the processor's own prefetches enough time.
constexpr int64_t kLongBytes = 8 << 10;

/// What is prefetched at a time: more would wait for lines on their way, and less would call the
/// loop for too few elements.
constexpr int64_t kPieceBytes = 4 << 10;

constexpr int64_t kLineBytes = 64;

/// Whether a tensor begins where the one before it ends, or on the next line. The processor's own
/// prefetches then go on.
bool Continues(const MemorySpan &now, const MemorySpan &next) {
  const intptr_t gap = reinterpret_cast<intptr_t>(next.begin) -
                       reinterpret_cast<intptr_t>(now.begin) - static_cast<intptr_t>(now.bytes);
  return gap >= 0 && gap < kLineBytes;
}

/// How many bytes there are to prefetch: none where one of the tensors is long.
int64_t BytesToPrefetch(const MemorySpan *now, const MemorySpan *next, size_t count) {
  int64_t bytes = 0;
  for (size_t i = 0; i < count; ++i) {
    if (now[i].bytes > kLongBytes || next[i].bytes > kLongBytes) return 0;
    if (!Continues(now[i], next[i])) bytes += next[i].bytes;
  }
  return bytes;
}

/// To L2: the loop still needs L1 for its own tensors.
void PrefetchPiece(const MemorySpan &span, int64_t piece, int64_t pieces) {
  const int64_t lines = (span.bytes + kLineBytes - 1) / kLineBytes;
  for (int64_t line = lines * piece / pieces; line < lines * (piece + 1) / pieces; ++line) {
    __builtin_prefetch(span.begin + line * kLineBytes, 0, 2);
  }
}

}  // namespace

void RunBesideNext(const LoopWork &work, const void *plan, const MemorySpan *now,
                   const MemorySpan *next, size_t count) {
  const int64_t bytes = BytesToPrefetch(now, next, count);
  if (bytes == 0) return work.loop(plan, 0, work.count);
  const index_t wanted = static_cast<index_t>((bytes + kPieceBytes - 1) / kPieceBytes);
  const index_t grains = (work.count + work.grain - 1) / work.grain;
  const index_t step = (grains + wanted - 1) / wanted * work.grain;
  const index_t pieces = (work.count + step - 1) / step;
  for (index_t piece = 0; piece < pieces; ++piece) {
    for (size_t i = 0; i < count; ++i) {
      if (!Continues(now[i], next[i])) PrefetchPiece(next[i], piece, pieces);
    }
    work.loop(plan, piece * step, std::min(work.count, (piece + 1) * step));
  }
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
