// SPDX-License-Identifier: Apache-2.0
#include "list_overlap.h"

#include <algorithm>
#include <iterator>

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

using Tensor = ListOverlaps::Tensor;

/// The tensors that reach behind the address that is looked at.
class Reaching {
 public:
  explicit Reaching(const std::vector<ListEntry> &entries) : entries_(entries) {}

  void Drop(uintptr_t before) {
    const auto ends = [before](const Reach &reach) { return reach.end <= before; };
    reaching_.erase(std::remove_if(reaching_.begin(), reaching_.end(), ends), reaching_.end());
  }
  /// The first one that conflicts with \p tensor, or null.
  const Tensor *FindConflict(const Tensor &tensor) const {
    for (const Reach &reach : reaching_) {
      if (!AreApart(reach.tensor, tensor)) return &reach.tensor;
    }
    return nullptr;
  }
  void Add(const Tensor &tensor, uintptr_t end) {
    if (!HasTwoFor(tensor, end)) reaching_.push_back({tensor, end});
  }

 private:
  struct Reach {
    Tensor tensor;
    uintptr_t end;
  };

  const ListEntry &EntryOf(const Tensor &tensor) const {
    return entries_[static_cast<size_t>(tensor.entry)];
  }
  bool IsWritten(const Tensor &tensor) const { return EntryOf(tensor).Writes(tensor.param); }
  Block BlockOf(const Tensor &tensor) const { return EntryOf(tensor).BlockOf(tensor.param); }

  bool AreApart(const Tensor &a, const Tensor &b) const {
    return a.entry == b.entry || (!IsWritten(a) && !IsWritten(b)) ||
           Compare(BlockOf(a), BlockOf(b)) == Overlap::kNone;
  }

  /// Whether tensors of two entries stand for one that is read, such as a learning rate that all
  /// entries read: what conflicts with it conflicts with one of the two.
  bool HasTwoFor(const Tensor &tensor, uintptr_t end) const {
    if (IsWritten(tensor)) return false;
    int first = -1;
    for (const Reach &other : reaching_) {
      if (other.end < end || IsWritten(other.tensor) || BlockOf(other.tensor).rows > 1) continue;
      if (first >= 0 && first != other.tensor.entry) return true;
      first = other.tensor.entry;
    }
    return false;
  }

  const std::vector<ListEntry> &entries_;
  std::vector<Reach> reaching_;
};

}  // namespace

/// Frameworks allocate the weights in order, the gradients in order and so on: so the tensors of
/// each parameter are mostly sorted.
void ListOverlaps::Sort(const std::vector<ListEntry> &entries) {
  const auto before = [](const Key &a, const Key &b) { return a.span.begin < b.span.begin; };
  std::vector<bool> is_changed(entries.size());
  for (const int entry : changed_) is_changed[static_cast<size_t>(entry)] = true;
  const auto is_old = [&](const Key &key) {
    return is_changed[static_cast<size_t>(key.tensor.entry)];
  };
  sorted_.erase(std::remove_if(sorted_.begin(), sorted_.end(), is_old), sorted_.end());
  std::vector<std::vector<Key>> runs;  // of each parameter
  for (const int i : changed_) {
    if (!is_changed[static_cast<size_t>(i)]) continue;  // it changed twice
    is_changed[static_cast<size_t>(i)] = false;
    const ListEntry &entry = entries[static_cast<size_t>(i)];
    const size_t params = static_cast<size_t>(entry.rule().num_params);
    if (runs.size() < params) runs.resize(params);
    for (int param = 0; param < entry.rule().num_params; ++param) {
      if (!entry.IsTensor(param)) continue;
      const Block block = entry.BlockOf(param);
      if (!block.empty()) {
        runs[static_cast<size_t>(param)].push_back({SpanOf(block), {i, param}});
      }
    }
  }
  std::vector<Key> merged;
  for (std::vector<Key> &run : runs) {
    if (!std::is_sorted(run.begin(), run.end(), before)) std::sort(run.begin(), run.end(), before);
    if (sorted_.empty()) {
      sorted_.swap(run);
      continue;
    }
    merged.clear();
    merged.reserve(sorted_.size() + run.size());
    std::merge(sorted_.begin(), sorted_.end(), run.begin(), run.end(), std::back_inserter(merged),
               before);
    sorted_.swap(merged);
  }
}

ListOverlaps::Conflict ListOverlaps::Find(const std::vector<ListEntry> &entries) {
  Sort(entries);
  Reaching reaching(entries);
  uintptr_t reached = 0;  // no tensor so far goes on behind it
  for (size_t i = 0; i < sorted_.size(); ++i) {
    const Key &key = sorted_[i];
    const bool ends_first = i + 1 == sorted_.size() || key.span.end <= sorted_[i + 1].span.begin;
    if (key.span.begin >= reached && ends_first) continue;  // as nearly all do
    reaching.Drop(key.span.begin);
    if (const Tensor *other = reaching.FindConflict(key.tensor)) {
      const bool in_order = other->entry < key.tensor.entry;
      return {in_order ? *other : key.tensor, in_order ? key.tensor : *other};
    }
    reaching.Add(key.tensor, key.span.end);
    reached = std::max(reached, key.span.end);
  }
  changed_.clear();
  return {};
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
