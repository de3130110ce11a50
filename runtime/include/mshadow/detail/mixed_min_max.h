// SPDX-License-Identifier: Apache-2.0
/// \file mixed_min_max.h
/// std::min and std::max of an index_t and an integer of another type. Code for mshadow says
/// std::max(t.size(0), 1U), or std::min(n, t.size(0)) of an int n, which compiled where index_t was
/// that very type. With these it compiles, and compares the two numbers, whatever index_t is.
///
/// Such code looks for them in std, where the standard allows nobody to declare functions. They
/// take no call that the library's own take, which want two arguments of one type, nor one that
/// names its type, std::min<int>(a, b). -DMSHADOW_MIXED_MIN_MAX=0 leaves them out.
#ifndef MSHADOW_MIXED_MIN_MAX_H_
#define MSHADOW_MIXED_MIN_MAX_H_

#include <algorithm>
#include <type_traits>

#include "mshadow/base.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Whether one of the two is index_t, and the other another type of integers. \tparam Named types
/// that a call names
template <typename A, typename B, typename... Named>
constexpr bool MixesIndices() {
  constexpr bool kOfAnIndex = std::is_same_v<A, index_t> || std::is_same_v<B, index_t>;
  constexpr bool kIntegers = std::is_integral_v<A> && std::is_integral_v<B>;
  return kOfAnIndex && kIntegers && !std::is_same_v<A, B> && sizeof...(Named) == 0;
}

/// Holds the greater of two numbers: where C++'s common type has no sign, that is not negative.
template <typename A, typename B>
using MaxOf = std::common_type_t<A, B>;
/// Holds the smaller one, which is at most each of the two.
template <typename A, typename B>
using MinOf =
    std::conditional_t<std::is_signed_v<A> == std::is_signed_v<B>, std::common_type_t<A, B>,
                       std::conditional_t<std::is_signed_v<A>, A, B>>;

/// Of the numbers: C++ takes a negative one for a great one beside one without a sign.
template <typename A, typename B>
constexpr bool IsLess(A a, B b) {
  using Common = std::common_type_t<A, B>;
  if constexpr (std::is_signed_v<A> && !std::is_signed_v<B>) {
    if (a < 0) return true;
  } else if constexpr (std::is_signed_v<B> && !std::is_signed_v<A>) {
    if (b < 0) return false;
  }
  return static_cast<Common>(a) < static_cast<Common>(b);
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

namespace std {

template <typename... Named, typename A, typename B,
          enable_if_t<::mshadow::detail::MixesIndices<A, B, Named...>(), int> = 0>
constexpr ::mshadow::detail::MinOf<A, B> min(const A &a, const B &b) {
  using Min = ::mshadow::detail::MinOf<A, B>;
  return ::mshadow::detail::IsLess(b, a) ? static_cast<Min>(b) : static_cast<Min>(a);
}

template <typename... Named, typename A, typename B,
          enable_if_t<::mshadow::detail::MixesIndices<A, B, Named...>(), int> = 0>
constexpr ::mshadow::detail::MaxOf<A, B> max(const A &a, const B &b) {
  using Max = ::mshadow::detail::MaxOf<A, B>;
  return ::mshadow::detail::IsLess(a, b) ? static_cast<Max>(b) : static_cast<Max>(a);
}

}  // namespace std

#endif  // MSHADOW_MIXED_MIN_MAX_H_
