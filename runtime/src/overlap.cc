// SPDX-License-Identifier: Apache-2.0
#include "mshadow/expr/overlap.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

/// Two column ranges of one matrix, which interleave in memory without sharing an element.
bool AreDisjointColumns(const Block &a, const Block &b) {
  if (a.stride != b.stride || a.size != b.size || a.rows < 2 || b.rows < 2) return false;
  const int64_t pitch = a.stride * a.size;
  // Where b's columns begin in the rows that start with a's.
  const int64_t distance = static_cast<int64_t>(SpanOf(b).begin - SpanOf(a).begin) % pitch;
  const int64_t offset = distance < 0 ? distance + pitch : distance;
  return offset >= a.cols * a.size && offset + b.cols * b.size <= pitch;
}

bool IsEmpty(const Box &box) {
  for (int i = 0; i < box.dim; ++i) {
    if (box.begin[i] >= box.end[i]) return true;
  }
  return false;
}

bool HaveOneTensor(const Box &a, const Box &b) {
  bool one = a.whole.dptr == b.whole.dptr && a.whole.size == b.whole.size &&
             a.whole.stride == b.whole.stride && a.dim == b.dim;
  for (int i = 0; one && i < a.dim; ++i) one = a.extent[i] == b.extent[i];
  return one;
}

/// The rows from a box's first to its last, its columns only; *exact says whether they are the box.
Block RowsOf(const Box &box, bool *exact) {
  const int last = box.dim - 1;
  int64_t first_row = 0, last_row = 0, rows = 1;
  for (int i = 0; i < last; ++i) {
    first_row = first_row * box.extent[i] + box.begin[i];
    last_row = last_row * box.extent[i] + box.end[i] - 1;
    rows *= box.end[i] - box.begin[i];
  }
  const int64_t offset = first_row * box.whole.stride + box.begin[last];
  const char *const dptr = static_cast<const char *>(box.whole.dptr) + offset * box.whole.size;
  *exact = rows == last_row - first_row + 1;
  return {dptr, last_row - first_row + 1, box.end[last] - box.begin[last], box.whole.stride,
          box.whole.size};
}

}  // namespace

Overlap Compare(const Block &a, const Block &b) {
  if (!SpanOf(a).Meets(SpanOf(b))) return Overlap::kNone;
  const bool same_place = a.dptr == b.dptr && a.size == b.size && a.rows == b.rows &&
                          a.cols == b.cols && (a.rows == 1 || a.stride == b.stride);
  if (same_place) return Overlap::kSame;
  return AreDisjointColumns(a, b) ? Overlap::kNone : Overlap::kPartial;
}

Overlap Compare(const Box &a, const Box &b) {
  if (IsEmpty(a) || IsEmpty(b)) return Overlap::kNone;
  if (!HaveOneTensor(a, b)) {
    bool exact_a, exact_b;
    const Overlap overlap = Compare(RowsOf(a, &exact_a), RowsOf(b, &exact_b));
    return overlap == Overlap::kSame && !(exact_a && exact_b) ? Overlap::kPartial : overlap;
  }
  bool same = true;
  for (int i = 0; i < a.dim; ++i) {
    if (a.end[i] <= b.begin[i] || b.end[i] <= a.begin[i]) return Overlap::kNone;
    same = same && a.begin[i] == b.begin[i] && a.end[i] == b.end[i];
  }
  return same ? Overlap::kSame : Overlap::kPartial;
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
