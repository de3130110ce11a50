// SPDX-License-Identifier: Apache-2.0
#include "mshadow/emitted/parts.h"

#include <algorithm>
#include <limits>

namespace mshadow {
namespace {

/// Columns that a thread does at once what is done once for a column: to read what parts left, some
/// hundred at a time are as good as many, and there is work for more threads.
constexpr index_t kFewColumns = 128;

/// So many rows of some columns, in bytes, or the largest number that there is.
index_t BytesOf(index_t rows, index_t cols, index_t each) {
  constexpr double kMost = static_cast<double>(std::numeric_limits<index_t>::max() / 2);
  const double bytes =
      static_cast<double>(rows) * static_cast<double>(cols) * static_cast<double>(each);
  return static_cast<index_t>(std::min(bytes, kMost));
}

}  // namespace

void RunColumns(void (*loop)(const void *, index_t, index_t), const void *plan, PhaseLaunch *launch,
                const Parts &parts, const ColumnShape &shape,
                std::initializer_list<ColumnPhase> phases, bool has_leaves) {
  const index_t cols = shape.cols, width = std::min(cols, kBlockColumns);
  const index_t blocks = shape.matrices() * BlocksOfColumns(cols);
  if (parts.count <= 1 && !has_leaves) {
    index_t bytes = 0;
    for (const ColumnPhase &phase : phases) bytes += phase.bytes;
    *launch = {kAllPhases, kBlockColumns};
    return ParallelFor(blocks, BytesOf(parts.size, width, bytes), loop, plan, 1);
  }
  index_t number = 0;
  for (const ColumnPhase &phase : phases) {
    const bool is_done = has_leaves && number == 0;
    *launch = {number++, phase.is_sweep ? kBlockColumns : kFewColumns};
    if (is_done) continue;
    if (phase.is_sweep) {
      ParallelFor(parts.count * blocks, BytesOf(parts.part, width, phase.bytes), loop, plan, 1);
    } else {
      // About what the parts of one reduction left.
      const index_t each = static_cast<index_t>(sizeof(float));
      ParallelFor(shape.matrices() * BlocksOfColumns(cols, kFewColumns),
                  BytesOf(parts.count, std::min(cols, kFewColumns), each), loop, plan, 1);
    }
  }
}

}  // namespace mshadow
