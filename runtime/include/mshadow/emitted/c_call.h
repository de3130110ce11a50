// SPDX-License-Identifier: Apache-2.0
/// \file c_call.h
/// How emitted C functions call C++: tensors become BlobArgs, exceptions become statuses.
#ifndef MSHADOW_C_CALL_H_
#define MSHADOW_C_CALL_H_

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

}  // namespace mshadow

#endif  // MSHADOW_C_CALL_H_
