// SPDX-License-Identifier: Apache-2.0
/// \file list_entry.h
/// One call in a list.
#ifndef MSHADOW_RUNTIME_LIST_ENTRY_H_
#define MSHADOW_RUNTIME_LIST_ENTRY_H_

#include "list_work.h"
#include "mshadow/expr/overlap.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

struct ListEntry {
  ListedCall call;
  char *args;  ///< a copy of the arguments, to which `call` points, too
  int group;
  ListWork::Place place;  ///< of its Plan; batch is -1 if there is nothing to do

  const RuleInfo &rule() const { return *call.rule; }
  bool IsTensor(int param) const { return call.params[param].scalar == ListedScalar::kNone; }
  bool Writes(int param) const { return call.rule->params[param].is_written; }
  /// A tensor, whatever its element type: all TensorArgs have one layout.
  TensorArg<void> &TensorAt(int param) const {
    return *reinterpret_cast<TensorArg<void> *>(args + call.params[param].at);
  }
  /// The memory of a tensor.
  Block BlockOf(int param) const {
    const TensorArg<void> &arg = TensorAt(param);
    return {arg.dptr, arg.rows(), arg.cols(), arg.stride,
            static_cast<int64_t>(call.params[param].size)};
  }
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_LIST_ENTRY_H_
