// SPDX-License-Identifier: Apache-2.0
/// \file list_overlap.h
/// Finds entries of a list of which one writes what another one touches.
#ifndef MSHADOW_RUNTIME_LIST_OVERLAP_H_
#define MSHADOW_RUNTIME_LIST_OVERLAP_H_

#include <vector>

#include "list_entry.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

class ListOverlaps {
 public:
  /// \p entry is new, or has other tensors.
  void Change(int entry) { changed_.push_back(entry); }
  bool has_changes() const { return !changed_.empty(); }

  /// A tensor of an entry.
  struct Tensor {
    int entry = -1;
    int param = 0;
  };
  struct Conflict {
    Tensor first, second;  ///< of different entries, in order; first.entry is -1 if there is none
  };
  /// Two tensors that overlap, and that may not. Costs a sort of what has changed since the last
  /// call without a conflict, and a pass over everything else.
  Conflict Find(const std::vector<ListEntry> &entries);

 private:
  struct Key {
    Span span;
    Tensor tensor;
  };
  void Sort(const std::vector<ListEntry> &entries);

  std::vector<Key> sorted_;  ///< by address
  std::vector<int> changed_;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_LIST_OVERLAP_H_
