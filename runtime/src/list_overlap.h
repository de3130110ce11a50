// SPDX-License-Identifier: Apache-2.0
/// \file list_overlap.h
/// Finds entries of a list of which one writes what another one touches.
#ifndef MSHADOW_RUNTIME_LIST_OVERLAP_H_
#define MSHADOW_RUNTIME_LIST_OVERLAP_H_

#include <vector>

#include "mshadow/expr/overlap.h"

namespace mshadow {
namespace detail {

/// A tensor of an entry.
struct ListedBlock {
  Block block;
  int entry;
  int param;
  bool written;
};

class ListOverlaps {
 public:
  /// The next entry has \p count tensors, which Set names later.
  void AddEntry(int count) { first_.push_back(first_.back() + count); }
  void DropLastEntry() { first_.pop_back(); }

  /// Tensor \p number of an entry is now \p block. To be called for all tensors of the entry.
  void Set(int number, const ListedBlock &block);

  /// Two tensors of different entries that overlap, or null pointers. Costs a sort of what was set
  /// since the last call, and a pass over everything else.
  struct Conflict {
    const ListedBlock *first = nullptr, *second = nullptr;
  };
  Conflict Find();

 private:
  /// The addresses of a tensor; `index` is the one in blocks_.
  struct Key {
    Span span;
    int index;
    int entry;
  };
  void Sort();

  std::vector<int> first_ = {0};     ///< of each entry, the index of its first tensor
  std::vector<ListedBlock> blocks_;  ///< by entry
  std::vector<Key> sorted_;          ///< by address
  std::vector<int> changed_;         ///< indices in blocks_ that Set was called for
};

}  // namespace detail
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_LIST_OVERLAP_H_
