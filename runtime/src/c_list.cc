// SPDX-License-Identifier: Apache-2.0
// Lists of calls for C.
#include <memory>
#include <string>

#include "mshadow/emitted/c_call.h"
#include "mshadow/list.h"

struct mshadow_list {
  mshadow::RuleList list;
  std::unique_ptr<mshadow::ListRecording> recording;  // between begin and end
};

namespace mshadow {
namespace {

/// Calls \p call; \p list must not be null.
template <typename Call>
mshadow_status ForList(const char *function, const mshadow_list *list, const Call &call) noexcept {
  return CallFromC(function, [&] {
    if (list == nullptr) {
      throw Error(std::string(function) + ": argument 'list': expected a list, got a null pointer");
    }
    call();
  });
}

const char *NotNull(const char *function, const char *argument, const char *name) {
  if (name != nullptr) return name;
  throw Error(std::string(function) + ": argument '" + argument +
              "': expected a name, got a null pointer");
}

detail::ListedTensor Listed(const BlobArg &blob) {
  detail::ListedTensor listed = {{}, blob.type, blob.device};
  TensorLayout &layout = listed.arg;
  layout.dim = blob.dim;
  for (int i = 0; i < blob.dim; ++i) layout.shape[i] = blob.shape[i];
  layout.stride = blob.stride;
  layout.stream = blob.stream;
  listed.arg.dptr = blob.dptr;
  return listed;
}

}  // namespace
}  // namespace mshadow

mshadow_status mshadow_list_create(mshadow_list **list) {
  return mshadow::CallFromC("mshadow_list_create", [&] {
    if (list == nullptr) {
      throw mshadow::Error(
          "mshadow_list_create: argument 'list': expected a pointer to store the list in, got a "
          "null pointer");
    }
    *list = new mshadow_list;
  });
}

mshadow_status mshadow_list_begin(mshadow_list *list) {
  return mshadow::ForList("mshadow_list_begin", list, [&] {
    if (mshadow::detail::IsAddingToList()) {
      throw mshadow::Error(
          "mshadow_list_begin: expected mshadow_list_end before, since the thread "
          "adds calls to a list");
    }
    list->recording.reset(new mshadow::ListRecording(&list->list));
  });
}

mshadow_status mshadow_list_end(mshadow_list *list) {
  return mshadow::ForList("mshadow_list_end", list, [&] {
    if (list->recording == nullptr) {
      throw mshadow::Error("mshadow_list_end: expected mshadow_list_begin before");
    }
    if (!mshadow::detail::IsAddingToList()) {
      throw mshadow::Error(
          "mshadow_list_end: expected the thread that called mshadow_list_begin, got another one");
    }
    list->recording.reset();
  });
}

int64_t mshadow_list_size(const mshadow_list *list) {
  return list == nullptr ? 0 : list->list.size();
}

mshadow_status mshadow_list_set(mshadow_list *list, int64_t entry, const char *scalar,
                                double value) {
  return mshadow::ForList("mshadow_list_set", list, [&] {
    const char *const name = mshadow::NotNull("mshadow_list_set", "scalar", scalar);
    if (entry == -1) {
      list->list.Set(name, value);
    } else {
      list->list.Set(entry, name, value);
    }
  });
}

mshadow_status mshadow_list_replace(mshadow_list *list, int64_t entry, const char *argument,
                                    const mshadow_tensor *tensor) {
  return mshadow::ForList("mshadow_list_replace", list, [&] {
    const char *const name = mshadow::NotNull("mshadow_list_replace", "argument", argument);
    list->list.Replace(entry, name,
                       mshadow::Listed(mshadow::FromC("mshadow_list_replace", "tensor", tensor)));
  });
}

mshadow_status mshadow_list_run(mshadow_list *list) {
  return mshadow::ForList("mshadow_list_run", list, [&] { list->list.Run(); });
}

void mshadow_list_destroy(mshadow_list *list) { delete list; }
