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
  index_t rows;
  index_t cols;
  index_t stride;
  index_t size;

  bool empty() const { return rows == 0 || cols == 0; }
};

enum class Overlap {
  kNone,     ///< no byte is in both
  kSame,     ///< the same elements in the same places
  kPartial,  ///< anything else
};

Overlap Compare(const Block &a, const Block &b);

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_OVERLAP_H_
