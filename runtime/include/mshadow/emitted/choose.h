// SPDX-License-Identifier: Apache-2.0
/// \file choose.h
/// Turns bools that are known at run time into template arguments. So a launch picks the variant of
/// its loop.
#ifndef MSHADOW_CHOOSE_H_
#define MSHADOW_CHOOSE_H_

#include "mshadow/detail/marks.h"

namespace mshadow {

/// A bool whose value is a constant, which may be a template argument.
template <bool kValue>
struct Bool {
  MSHADOW_XINLINE constexpr operator bool() const { return kValue; }
};

/// Calls \p function with a Bool for each condition, in order:
///
///     Choose([&](auto kNesterov) { return Loop<kNesterov>; }, nesterov)
template <typename Function>
MSHADOW_CINLINE auto Choose(Function function) {
  return function();
}
template <typename Function, typename... More>
MSHADOW_CINLINE auto Choose(Function function, bool condition, More... more) {
  const auto with = [&](auto constant) {
    return Choose([&](auto... rest) { return function(constant, rest...); }, more...);
  };
  return condition ? with(Bool<true>()) : with(Bool<false>());
}

}  // namespace mshadow

#endif  // MSHADOW_CHOOSE_H_
