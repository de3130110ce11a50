// SPDX-License-Identifier: Apache-2.0
#include "mshadow/overlap.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

uintptr_t Begin(const Block &block) { return reinterpret_cast<uintptr_t>(block.dptr); }

uintptr_t End(const Block &block) {
  const index_t elements = (block.rows - 1) * block.stride + block.cols;
  return Begin(block) + static_cast<uintptr_t>(elements * block.size);
}

/// Two column ranges of one matrix, which interleave in memory without sharing an element.
bool AreDisjointColumns(const Block &a, const Block &b) {
  if (a.stride != b.stride || a.size != b.size || a.rows < 2 || b.rows < 2) return false;
  const index_t pitch = a.stride * a.size;
  // Where b's columns begin in the rows that start with a's.
  const index_t distance = static_cast<index_t>(Begin(b) - Begin(a)) % pitch;
  const index_t offset = distance < 0 ? distance + pitch : distance;
  return offset >= a.cols * a.size && offset + b.cols * b.size <= pitch;
}

}  // namespace

Overlap Compare(const Block &a, const Block &b) {
  if (a.empty() || b.empty() || Begin(a) >= End(b) || Begin(b) >= End(a)) return Overlap::kNone;
  const bool same_place = a.dptr == b.dptr && a.size == b.size && a.rows == b.rows &&
                          a.cols == b.cols && (a.rows == 1 || a.stride == b.stride);
  if (same_place) return Overlap::kSame;
  return AreDisjointColumns(a, b) ? Overlap::kNone : Overlap::kPartial;
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
