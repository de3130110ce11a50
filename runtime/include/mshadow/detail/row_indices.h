// SPDX-License-Identifier: Apache-2.0
/// \file row_indices.h
/// Whether indices that name rows to be written name a row twice.
#ifndef MSHADOW_ROW_INDICES_H_
#define MSHADOW_ROW_INDICES_H_

#include "mshadow/detail/cast.h"
#include "mshadow/detail/workspace.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// The positions of two indices that name one row. No two indices do if both are 0.
struct Repeat {
  int64_t first, second;
  explicit operator bool() const { return first != second; }
};

/// The first index whose row an index before it names, and that one. Takes time and memory of
/// O(count).
Repeat FindRepeatIn(const int64_t *rows, int64_t count);

/// The same for indices of any element type, whose fractions are cut off. Indices in ascending
/// order need no memory.
template <typename IType>
MSHADOW_CINLINE Repeat FindRepeat(const IType *index, int64_t count) {
  bool ascends = true;
  for (int64_t i = 1; i < count; ++i) {
    ascends = ascends && ScalarCast<int64_t>(index[i - 1]) < ScalarCast<int64_t>(index[i]);
  }
  if (ascends) return {0, 0};
  Workspace memory;
  int64_t *const rows = memory.Take<int64_t>(count);
  for (int64_t i = 0; i < count; ++i) rows[i] = ScalarCast<int64_t>(index[i]);
  return FindRepeatIn(rows, count);
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_ROW_INDICES_H_
