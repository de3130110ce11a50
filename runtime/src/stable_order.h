// SPDX-License-Identifier: Apache-2.0
/// \file stable_order.h
/// The order of unsigned numbers: a stable sort of their positions.
#ifndef MSHADOW_STABLE_ORDER_H_
#define MSHADOW_STABLE_ORDER_H_

#include <algorithm>
#include <cstdint>

#include "mshadow/base.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// By inserting: for a few.
template <typename U>
void OrderFew(const U *ranks, index_t count, index_t *order) {
  for (index_t i = 0; i < count; ++i) {
    index_t to = i;
    for (; to > 0 && ranks[i] < ranks[order[to - 1]]; --to) order[to] = order[to - 1];
    order[to] = i;
  }
}

/// By one digit of eight bits after another, the least significant first, but for those that all
/// ranks have in common.
template <typename U>
void OrderByDigits(const U *ranks, index_t count, index_t *order, index_t *scratch) {
  index_t *from = order, *to = scratch;
  U differs = 0;
  for (index_t i = 0; i < count; ++i) {
    from[i] = i;
    differs = static_cast<U>(differs | (ranks[i] ^ ranks[0]));
  }
  for (int shift = 0; shift < static_cast<int>(8 * sizeof(U)); shift += 8) {
    if ((differs >> shift & 0xff) == 0) continue;
    index_t begin[257] = {};
    for (index_t i = 0; i < count; ++i) ++begin[(ranks[i] >> shift & 0xff) + 1];
    for (int value = 1; value < 256; ++value) begin[value] += begin[value - 1];
    for (index_t i = 0; i < count; ++i) to[begin[ranks[from[i]] >> shift & 0xff]++] = from[i];
    std::swap(from, to);
  }
  if (from != order) std::copy(from, from + count, order);
}

/// order[i] becomes the position of the rank that comes i-th. Equal ranks keep their order.
/// \param scratch as many elements
template <typename U>
void OrderOfRanks(const U *ranks, index_t count, index_t *order, index_t *scratch) {
  constexpr index_t kFew = 32;  // a digit costs a pass over its 256 values
  if (count <= kFew) {
    OrderFew(ranks, count, order);
  } else {
    OrderByDigits(ranks, count, order, scratch);
  }
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_STABLE_ORDER_H_
