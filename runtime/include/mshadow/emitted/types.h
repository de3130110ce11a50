// SPDX-License-Identifier: Apache-2.0
/// \file types.h
/// Lists of types: the element types of one instance of a rule, the instances of a rule, the rules
/// of a target.
#ifndef MSHADOW_TYPES_H_
#define MSHADOW_TYPES_H_

#include "mshadow/detail/config.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// The element types of one instance, in the order of the rule's type parameters.
template <typename... T>
struct Types {
  static constexpr int kSize = sizeof...(T);
};

namespace detail {
template <typename A, typename B>
struct IsSame {
  static constexpr bool value = false;
};
template <typename A>
struct IsSame<A, A> {
  static constexpr bool value = true;
};
}  // namespace detail

/// A list of types to iterate over: instances of a rule, or rules of a target.
template <typename... T>
struct TypeList {
  static constexpr int kSize = sizeof...(T);

  /// Whether U is in the list.
  template <typename U>
  static constexpr bool Has() {
    return (false || ... || detail::IsSame<U, T>::value);
  }

  /// Calls `f.template operator()<T>()` for every T, in order. (Clang refuses a fold expression of
  /// more than 256 types, and a target may have as many rules.)
  template <typename Function>
  static void ForEach(Function &&f) {
    const bool called[] = {false, (f.template operator()<T>(), true)...};
    static_cast<void>(called);
  }
};

/// Whether Rule, which describes a rule (rule_info.h), has an instance for these element types.
template <typename Rule, typename... T>
constexpr bool HasInstance() {
  return Rule::Instances::template Has<Types<T...>>();
}

/// Types<T> for an element type T, and T itself if it is a Types<…>. So both spellings of an
/// instance are one type.
template <typename T>
struct AsTypes {
  using type = Types<T>;
};
template <typename... T>
struct AsTypes<Types<T...>> {
  using type = Types<T...>;
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_TYPES_H_
