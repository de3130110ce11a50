// SPDX-License-Identifier: Apache-2.0
/// \file sort_key.h
/// Integers that order as the elements of a tensor do, on every device.
#ifndef MSHADOW_SORT_KEY_H_
#define MSHADOW_SORT_KEY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "mshadow/detail/cast.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// The signed integer of so many bytes.
template <size_t kSize>
using SignedOfSize = std::conditional_t<
    kSize == 1, int8_t,
    std::conditional_t<kSize == 2, int16_t, std::conditional_t<kSize == 4, int32_t, int64_t>>>;
template <typename T>
using SortKey = SignedOfSize<sizeof(T)>;

/// The bits of a float infinity.
template <typename T>
MSHADOW_XINLINE constexpr SortKey<T> BitsOfInfinity() {
  using Key = SortKey<T>;
  if constexpr (std::is_same_v<T, double>) return Key{0x7ff0000000000000};
  if constexpr (std::is_same_v<T, float>) return Key{0x7f800000};
  return static_cast<Key>(std::is_same_v<T, half::half_t> ? 0x7c00 : 0x7f80);
}

/// The key of an element. The keys of two elements compare as the elements do. The two zeros have
/// one key, and so have all NaNs, which are the greatest. There are no branches, so loops can be
/// vectorised.
template <typename T>
MSHADOW_XINLINE SortKey<T> KeyOf(T element) {
  using Key = SortKey<T>;
  constexpr ScalarClass kClass = ClassOf<T>();
  constexpr Key kMax = static_cast<Key>(~uint64_t{0} >> (65 - 8 * sizeof(Key)));
  Key bits;
  std::memcpy(&bits, &element, sizeof bits);
  if constexpr (kClass == ScalarClass::kFloat || kClass == ScalarClass::kNarrow) {
    const Key size = static_cast<Key>(bits & kMax);
    const Key signed_size = static_cast<Key>(bits < 0 ? -size : size);  // -0 becomes 0
    return size > BitsOfInfinity<T>() ? kMax : signed_size;
  } else if constexpr (std::is_unsigned_v<T>) {
    return static_cast<Key>(bits ^ (-kMax - 1));
  } else {
    return bits;
  }
}

/// What is combined with a key by ^, so that elements that come first have greater keys.
template <typename Key>
MSHADOW_XINLINE constexpr Key FlipOf(bool ascends) {
  return static_cast<Key>(ascends ? -1 : 0);
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_SORT_KEY_H_
