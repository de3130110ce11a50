// SPDX-License-Identifier: Apache-2.0
/// \file c_call.h
/// How emitted C functions call C++: tensors become BlobArgs, exceptions become statuses.
#ifndef MSHADOW_C_CALL_H_
#define MSHADOW_C_CALL_H_

#include <cstdint>
#include <type_traits>
#include <utility>

#include "mshadow/c_api.h"
#include "mshadow/emitted/instances.h"

namespace mshadow {

/// \p tensor as an argument of the entry points for blobs.
/// \throws Error that names \p rule and \p argument if the tensor is null, or has no dimensions or
///     too many
BlobArg FromC(const char *rule, const char *argument, const mshadow_tensor *tensor);

MSHADOW_VERSION_BEGIN
namespace detail {
/// The status of the exception that is being handled. Keeps its message for mshadow_last_error.
mshadow_status StatusOfException(const char *rule) noexcept;

/// \p argument as a parameter of type T.
template <typename T>
MSHADOW_CINLINE T Unpack(const mshadow_argument &argument) {
  if constexpr (std::is_pointer_v<T>) {
    return argument.tensor;
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(argument.real);
  } else {
    return static_cast<T>(argument.integer);
  }
}

template <typename... Params, size_t... indices>
MSHADOW_CINLINE mshadow_status CallPacked(mshadow_status (*function)(Params...),
                                          const mshadow_argument *arguments,
                                          std::index_sequence<indices...>) {
  return function(Unpack<Params>(arguments[indices])...);
}
}  // namespace detail
MSHADOW_VERSION_END

/// Calls \p call, which may throw.
template <typename Call>
MSHADOW_CINLINE mshadow_status CallFromC(const char *rule, const Call &call) noexcept {
  try {
    call();
    return MSHADOW_OK;
  } catch (...) {
    return detail::StatusOfException(rule);
  }
}

/// Calls the C function of a rule with arguments that are in an array, in the order of its
/// parameters.
template <typename... Params>
MSHADOW_CINLINE mshadow_status CallPacked(mshadow_status (*function)(Params...),
                                          const mshadow_argument *arguments) {
  return detail::CallPacked(function, arguments, std::index_sequence_for<Params...>());
}

}  // namespace mshadow

#endif  // MSHADOW_C_CALL_H_
