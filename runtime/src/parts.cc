// SPDX-License-Identifier: Apache-2.0
#include "mshadow/parts.h"

namespace mshadow {
namespace {

/// What a block of a launch's moves.
index_t BytesOf(const ColumnPhase &phase, const Parts &parts, index_t width) {
  if (phase.is_sweep) return parts.part * width * phase.bytes;
  return parts.count * width * static_cast<index_t>(sizeof(float));  // the parts' results
}

}  // namespace

void RunColumns(void (*loop)(const void *, index_t, index_t), const void *plan, index_t *phase,
                const Parts &parts, index_t cols, std::initializer_list<ColumnPhase> phases) {
  const index_t blocks = BlocksOfColumns(cols);
  const index_t width = cols < kBlockColumns ? cols : kBlockColumns;
  if (parts.count <= 1) {
    index_t bytes = 0;
    for (const ColumnPhase &each : phases) bytes += each.bytes;
    *phase = kAllPhases;
    return ParallelFor(blocks, parts.size * width * bytes, loop, plan, 1);
  }
  *phase = 0;
  for (const ColumnPhase &each : phases) {
    const index_t items = each.is_sweep ? parts.count * blocks : blocks;
    ParallelFor(items, BytesOf(each, parts, width), loop, plan, 1);
    ++*phase;
  }
}

}  // namespace mshadow
