// SPDX-License-Identifier: Apache-2.0
#include "mshadow/c_api.h"

#include <cstdio>
#include <new>
#include <string>

#include "mshadow/emitted/c_call.h"

namespace mshadow {
namespace {

/// The last error's message; longer ones are cut. To keep it takes no memory that could be missing.
thread_local char last_error[1024] = "";

mshadow_status Keep(mshadow_status status, const char *message) {
  std::snprintf(last_error, sizeof last_error, "%s", message);
  return status;
}

mshadow_status Keep(mshadow_status status, const char *rule, const char *message) {
  std::snprintf(last_error, sizeof last_error, "%s: %s", rule, message);
  return status;
}

/// What has the rules for C has the streams too: of a static runtime, a linker takes into a shared
/// library only the files that something there names.
__attribute__((used)) mshadow_status (*const streams)(void *, int,
                                                      mshadow_stream **) = mshadow_stream_wrap;
/// And the lists.
__attribute__((used)) mshadow_status (*const lists)(mshadow_list **) = mshadow_list_create;

}  // namespace

BlobArg FromC(const char *rule, const char *argument, const mshadow_tensor *tensor) {
  const auto fail = [&](const std::string &text) {
    throw Error(std::string(rule) + ": argument '" + argument + "': expected " + text);
  };
  if (tensor == nullptr) fail("a tensor, got a null pointer");
  if (tensor->rank < 1 || tensor->rank > kMaxRank) {
    fail("1 to " + std::to_string(kMaxRank) + " dimensions, got " + std::to_string(tensor->rank));
  }
  if (tensor->shape == nullptr) fail("a shape, got a null pointer");
  BlobArg blob;
  blob.dptr = tensor->data;
  blob.type = tensor->type;
  blob.device = tensor->device;
  blob.dim = tensor->rank;
  for (int i = 0; i < blob.dim; ++i) blob.shape[i] = tensor->shape[i];
  blob.stride = tensor->row_stride != 0 ? tensor->row_stride : blob.shape[blob.dim - 1];
  blob.stream = tensor->stream;
  return blob;
}

mshadow_status detail::StatusOfException(const char *rule) noexcept {
  try {
    throw;
  } catch (const NoInstance &error) {
    return Keep(MSHADOW_NO_INSTANCE, error.what());
  } catch (const Error &error) {
    return Keep(MSHADOW_ERROR, error.what());
  } catch (const std::bad_alloc &) {
    return Keep(MSHADOW_OUT_OF_MEMORY, rule, "out of memory");
  } catch (const std::exception &error) {
    return Keep(MSHADOW_INTERNAL_ERROR, rule, error.what());
  } catch (...) {
    return Keep(MSHADOW_INTERNAL_ERROR, rule, "an exception of unknown type");
  }
}

}  // namespace mshadow

const char *mshadow_last_error(void) { return mshadow::last_error; }
