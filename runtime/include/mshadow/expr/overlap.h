// SPDX-License-Identifier: Apache-2.0
/// \file overlap.h
/// Whether two views of memory share elements.
#ifndef MSHADOW_OVERLAP_H_
#define MSHADOW_OVERLAP_H_

#include "mshadow/base.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// `rows` rows of `cols` elements of `size` bytes, `stride` elements apart.
struct Block {
  const void *dptr;
  int64_t rows;
  int64_t cols;
  int64_t stride;
  int64_t size;

  bool empty() const { return rows == 0 || cols == 0; }
};

enum class Overlap {
  kNone,     ///< no byte is in both
  kSame,     ///< the same elements at the same addresses
  kPartial,  ///< anything else
};

Overlap Compare(const Block &a, const Block &b);

/// The addresses from a block's first element to its last; end <= begin if it has no elements. For
/// most tensors they suffice to show that nothing is shared.
struct Span {
  uintptr_t begin;
  uintptr_t end;

  bool Meets(const Span &other) const {
    return begin < end && other.begin < other.end && begin < other.end && other.begin < end;
  }
};
inline Span SpanOf(const Block &block) {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(block.dptr);
  if (block.empty()) return {begin, begin};
  const int64_t elements = (block.rows - 1) * block.stride + block.cols;
  return {begin, begin + static_cast<uintptr_t>(elements * block.size)};
}

/// Elements [begin[i], end[i]) in each dimension i of a tensor, which a slice views.
struct Box {
  static constexpr int kMaxDim = 8;
  Block whole;  ///< the tensor
  int dim;
  index_t extent[kMaxDim];  ///< of the tensor
  index_t begin[kMaxDim];
  index_t end[kMaxDim];
};

/// Exact for boxes of one tensor. For other boxes it may count memory between the elements of a box
/// as part of the box, but it never misses a shared element.
Overlap Compare(const Box &a, const Box &b);

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_OVERLAP_H_
