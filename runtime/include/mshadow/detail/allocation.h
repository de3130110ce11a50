// SPDX-License-Identifier: Apache-2.0
/// \file allocation.h
/// Memory of the CPU for tensors: aligned for every vector, padded where asked.
#ifndef MSHADOW_ALLOCATION_H_
#define MSHADOW_ALLOCATION_H_

#include "mshadow/base.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Alignment in bytes of every allocation: a cache line, and the widest vector.
constexpr index_t kAlignment = 64;
/// Padded rows are a multiple of this many bytes long: 16, as mshadow's, so that a (3,5) matrix of
/// floats has stride 8.
constexpr index_t kPitch = 16;

/// Elements from one row to the next of rows of \p cols elements of \p size bytes, padded if \p
/// pad.
index_t RowStride(index_t cols, index_t size, bool pad);

/// Memory for count * size bytes, uninitialised; null for none.
/// \throws Error if a factor is negative, the product overflows, or there is no such memory
void *Allocate(index_t count, index_t size);
void Deallocate(void *memory);

/// Asks for pages of 2 MB if the memory spans some. With small pages a processor's table of
/// addresses covers 8 MB. Beyond that it waits for an entry per page. Its prefetches stop where a
/// page ends.
void AskForHugePages(void *memory, int64_t bytes);

/// Copies \p rows rows of \p bytes bytes; the pitches are bytes from one row to the next. The two
/// sides do not overlap, or are the same.
void CopyRows(void *dst, int64_t dst_pitch, const void *src, int64_t src_pitch, int64_t bytes,
              int64_t rows);

/// \p a times \p b.
/// \throws Error if a factor is negative or the product overflows
index_t CheckedProduct(index_t a, index_t b);

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_ALLOCATION_H_
