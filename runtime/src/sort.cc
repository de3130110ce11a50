// SPDX-License-Identifier: Apache-2.0
#include "mshadow/detail/sort.h"

#include <type_traits>

#include "mshadow/detail/sort_key.h"
#include "stable_order.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

/// A number that orders as \p key does. Every NaN has the greatest, in both directions.
template <typename Key>
std::make_unsigned_t<SortKey<Key>> Rank(Key key, bool ascend) {
  using U = std::make_unsigned_t<SortKey<Key>>;
  if constexpr (std::is_same_v<Key, bool>) {
    return static_cast<U>(key == ascend);
  } else {
    if (!(key == key)) return static_cast<U>(-1);
    constexpr U kTop = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
    const U bits = static_cast<U>(static_cast<U>(KeyOf(key)) ^ kTop);
    return ascend ? bits : static_cast<U>(~bits);
  }
}

}  // namespace

template <typename Key>
void StableOrder(const Key *keys, index_t count, bool ascend, index_t *order) {
  using U = std::make_unsigned_t<SortKey<Key>>;
  const Scratch<U> ranks(count);
  for (index_t i = 0; i < count; ++i) ranks.data()[i] = Rank(keys[i], ascend);
  const Scratch<index_t> scratch(count);
  OrderOfRanks(ranks.data(), count, order, scratch.data());
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
