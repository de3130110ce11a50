// SPDX-License-Identifier: Apache-2.0
#include "list_overlap.h"

#include <algorithm>
#include <iterator>

namespace mshadow {
namespace detail {
namespace {

bool AreApart(const ListedBlock &a, const ListedBlock &b) {
  return a.entry == b.entry || (!a.written && !b.written) ||
         Compare(a.block, b.block) == Overlap::kNone;
}

/// The tensors that reach behind the address that is looked at.
class Reaching {
 public:
  void Drop(uintptr_t before) {
    const auto ends = [before](const Tensor &tensor) { return tensor.end <= before; };
    tensors_.erase(std::remove_if(tensors_.begin(), tensors_.end(), ends), tensors_.end());
  }
  const ListedBlock *FindConflict(const ListedBlock &block) const {
    for (const Tensor &tensor : tensors_) {
      if (!AreApart(*tensor.block, block)) return tensor.block;
    }
    return nullptr;
  }
  void Add(const ListedBlock &block, uintptr_t end) {
    if (!HasTwoFor(block, end)) tensors_.push_back({&block, end});
  }

 private:
  struct Tensor {
    const ListedBlock *block;
    uintptr_t end;
  };

  /// Whether tensors of two entries stand for one that is read, such as a learning rate that all
  /// entries read: what conflicts with it in a third entry, conflicts with one of them.
  bool HasTwoFor(const ListedBlock &block, uintptr_t end) const {
    if (block.written) return false;
    const ListedBlock *first = nullptr;
    for (const Tensor &tensor : tensors_) {
      const ListedBlock &other = *tensor.block;
      if (other.written || other.block.rows > 1 || tensor.end < end) continue;
      if (first != nullptr && first->entry != other.entry) return true;
      first = &other;
    }
    return false;
  }

  std::vector<Tensor> tensors_;
};

}  // namespace

void ListOverlaps::Set(int number, const ListedBlock &block) {
  const int index = first_[static_cast<size_t>(block.entry)] + number;
  if (static_cast<size_t>(index) >= blocks_.size()) blocks_.resize(static_cast<size_t>(index) + 1);
  blocks_[static_cast<size_t>(index)] = block;
  changed_.push_back(index);
}

/// Frameworks allocate the weights in order, the gradients in order and so on: so the tensors of
/// each parameter are mostly sorted.
void ListOverlaps::Sort() {
  const auto before = [](const Key &a, const Key &b) { return a.span.begin < b.span.begin; };
  std::vector<bool> is_changed(blocks_.size());
  for (const int index : changed_) is_changed[static_cast<size_t>(index)] = true;
  const auto is_old = [&](const Key &key) { return is_changed[static_cast<size_t>(key.index)]; };
  sorted_.erase(std::remove_if(sorted_.begin(), sorted_.end(), is_old), sorted_.end());
  std::vector<std::vector<Key>> runs;  // of each parameter
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (!is_changed[i] || blocks_[i].block.empty()) continue;
    const size_t param = static_cast<size_t>(blocks_[i].param);
    if (runs.size() <= param) runs.resize(param + 1);
    runs[param].push_back({SpanOf(blocks_[i].block), static_cast<int>(i), blocks_[i].entry});
  }
  std::vector<Key> merged;
  for (std::vector<Key> &run : runs) {
    if (!std::is_sorted(run.begin(), run.end(), before)) std::sort(run.begin(), run.end(), before);
    merged.clear();
    merged.reserve(sorted_.size() + run.size());
    std::merge(sorted_.begin(), sorted_.end(), run.begin(), run.end(), std::back_inserter(merged),
               before);
    sorted_.swap(merged);
  }
  changed_.clear();
}

ListOverlaps::Conflict ListOverlaps::Find() {
  Sort();
  Reaching reaching;
  uintptr_t reached = 0;  // no tensor so far goes on behind it
  for (size_t i = 0; i < sorted_.size(); ++i) {
    const Span span = sorted_[i].span;
    const ListedBlock &block = blocks_[static_cast<size_t>(sorted_[i].index)];
    const bool ends_before_next = i + 1 == sorted_.size() || span.end <= sorted_[i + 1].span.begin;
    if (span.begin >= reached && ends_before_next) continue;  // as nearly all do
    reaching.Drop(span.begin);
    if (const ListedBlock *other = reaching.FindConflict(block)) {
      const bool in_order = other->entry < block.entry;
      return {in_order ? other : &block, in_order ? &block : other};
    }
    reaching.Add(block, span.end);
    reached = std::max(reached, span.end);
  }
  return {};
}

}  // namespace detail
}  // namespace mshadow
