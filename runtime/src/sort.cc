// SPDX-License-Identifier: Apache-2.0
#include "mshadow/sort.h"

#include <algorithm>
#include <numeric>

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

template <typename Key>
void StableOrder(const Key *keys, index_t count, bool ascend, index_t *order) {
  std::iota(order, order + count, index_t{0});
  // NaN, which compares with nothing, comes last: an order that the algorithm may rely on.
  const auto is_nan = [](Key key) { return !(key == key); };
  index_t *numbers_end = order + count;
  if (std::any_of(keys, keys + count, is_nan)) {
    numbers_end =
        std::stable_partition(order, order + count, [&](index_t i) { return !is_nan(keys[i]); });
  }
  if (ascend) {
    std::stable_sort(order, numbers_end, [&](index_t a, index_t b) { return keys[a] < keys[b]; });
  } else {
    std::stable_sort(order, numbers_end, [&](index_t a, index_t b) { return keys[b] < keys[a]; });
  }
}

#define MSHADOW_STABLE_ORDER(Key) \
  template void StableOrder<Key>(const Key *, index_t, bool, index_t *);
MSHADOW_STABLE_ORDER(float)
MSHADOW_STABLE_ORDER(double)
MSHADOW_STABLE_ORDER(half::half_t)
MSHADOW_STABLE_ORDER(bfloat::bf16_t)
MSHADOW_STABLE_ORDER(int8_t)
MSHADOW_STABLE_ORDER(uint8_t)
MSHADOW_STABLE_ORDER(int16_t)
MSHADOW_STABLE_ORDER(uint16_t)
MSHADOW_STABLE_ORDER(int32_t)
MSHADOW_STABLE_ORDER(uint32_t)
MSHADOW_STABLE_ORDER(int64_t)
MSHADOW_STABLE_ORDER(uint64_t)
MSHADOW_STABLE_ORDER(bool)
#undef MSHADOW_STABLE_ORDER

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
