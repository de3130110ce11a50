// SPDX-License-Identifier: Apache-2.0
#include "mshadow/detail/sort.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

/// The unsigned type of so many bytes.
template <size_t kSize>
using Unsigned = std::conditional_t<
    kSize == 1, uint8_t,
    std::conditional_t<kSize == 2, uint16_t, std::conditional_t<kSize == 4, uint32_t, uint64_t>>>;

/// A number that orders as \p key does: equal keys, the two zeros among them, have one number, and
/// every NaN has the greatest.
template <typename Key>
Unsigned<sizeof(Key)> Rank(Key key, bool ascend) {
  using U = Unsigned<sizeof(Key)>;
  constexpr bool kFloat =
      ClassOf<Key>() == ScalarClass::kFloat || ClassOf<Key>() == ScalarClass::kNarrow;
  constexpr bool kSigned = kFloat || static_cast<Key>(-1) < static_cast<Key>(0);
  constexpr U kTop = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
  U bits;
  std::memcpy(&bits, &key, sizeof(bits));
  if constexpr (kFloat) {
    if (!(key == key)) return static_cast<U>(-1);
    if (key == Key(0.0f)) bits = 0;
    if (bits & kTop)
      bits = static_cast<U>(~bits & ~kTop);  // greater size, lesser number
    else
      bits = static_cast<U>(bits | kTop);
  } else if constexpr (kSigned) {
    bits = static_cast<U>(bits ^ kTop);
  }
  return ascend ? bits : static_cast<U>(~bits);
}

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
void OrderByDigits(const U *ranks, index_t count, index_t *order) {
  const Scratch<index_t> scratch(count);
  index_t *from = order, *to = scratch.data();
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

}  // namespace

template <typename Key>
void StableOrder(const Key *keys, index_t count, bool ascend, index_t *order) {
  constexpr index_t kFew = 32;  // a digit costs a pass over its 256 values
  const Scratch<Unsigned<sizeof(Key)>> ranks(count);
  for (index_t i = 0; i < count; ++i) ranks.data()[i] = Rank(keys[i], ascend);
  if (count <= kFew) {
    OrderFew(ranks.data(), count, order);
  } else {
    OrderByDigits(ranks.data(), count, order);
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
