// SPDX-License-Identifier: Apache-2.0
#include "mshadow/expr/address_map.h"

#include <algorithm>

#include "mshadow/expr/operands.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

bool IsEmpty(const AddressMap &map) {
  for (int d = 0; d < map.dim; ++d) {
    if (map.begin[d] >= map.end[d]) return true;
  }
  return false;
}

/// The indices from the first to the last that either map has.
struct Hull {
  int64_t begin;
  int64_t count;
};
Hull HullOf(const AddressMap &a, const AddressMap &b, int d) {
  const int64_t begin = std::min(a.begin[d], b.begin[d]);
  return {begin, std::max(a.end[d], b.end[d]) - begin};
}

/// Whether both maps give each index the same element.
bool AreOne(const AddressMap &a, const AddressMap &b) {
  if (a.dim != b.dim || a.size != b.size) return false;
  int64_t apart = a.address - b.address;
  for (int d = 0; d < a.dim; ++d) {
    const Hull hull = HullOf(a, b, d);
    if (hull.count > 1 && a.step[d] != b.step[d]) return false;
    apart += hull.begin * (a.step[d] - b.step[d]);
  }
  return apart == 0;
}

/// Distances between the neighbours of a set of elements, and how far they reach.
struct Term {
  int64_t step;  ///< positive
  int64_t low;   ///< how many steps, from
  int64_t high;  ///< to
};
/// As many as two maps have dimensions, the longest steps first.
struct Terms {
  Term terms[2 * AddressMap::kMaxDim];
  int count = 0;

  void Add(int64_t step, int64_t low, int64_t high) {
    if (step < 0) return Add(-step, -high, -low);
    if (step == 0) return;
    for (int i = 0; i < count; ++i) {
      if (terms[i].step != step) continue;
      terms[i].low += low;
      terms[i].high += high;
      return;
    }
    terms[count++] = {step, low, high};
    for (int i = count - 1; i > 0 && terms[i].step > terms[i - 1].step; --i) {
      std::swap(terms[i], terms[i - 1]);
    }
  }
};

/// Whether different indices have different elements: each step is longer than all that shorter
/// ones reach. Of maps that are one, over the indices of both.
bool AreApart(const AddressMap &a, const AddressMap &b) {
  Terms terms;
  for (int d = 0; d < a.dim; ++d) {
    const Hull hull = HullOf(a, b, d);
    if (hull.count <= 1) continue;
    if (a.step[d] == 0) return false;
    terms.Add(a.step[d], 0, hull.count - 1);
  }
  int64_t reach = a.size;
  for (int i = terms.count - 1; i >= 0; --i) {
    if (terms.terms[i].step < reach) return false;
    reach += terms.terms[i].step * (terms.terms[i].high - terms.terms[i].low);
  }
  return true;
}

int64_t FloorDiv(int64_t a, int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

/// Looks for a sum of steps that is within [low, high], the longest step first. With steps that are
/// longer than what shorter ones reach, two numbers of each are tried at most.
class Search {
 public:
  explicit Search(const Terms &terms) : terms_(terms) {
    rest_low_[terms.count] = rest_high_[terms.count] = 0;
    for (int i = terms.count - 1; i >= 0; --i) {
      const Term &term = terms.terms[i];
      rest_low_[i] = rest_low_[i + 1] + term.step * term.low;
      rest_high_[i] = rest_high_[i + 1] + term.step * term.high;
    }
  }
  /// True as well if that takes too long to find out.
  bool Finds(int64_t low, int64_t high, int i = 0) {
    if (--tries_left_ < 0) return true;
    if (i == terms_.count) return low <= 0 && 0 <= high;
    const Term &term = terms_.terms[i];
    const int64_t first = std::max(term.low, -FloorDiv(rest_high_[i + 1] - low, term.step));
    const int64_t last = std::min(term.high, FloorDiv(high - rest_low_[i + 1], term.step));
    for (int64_t n = first; n <= last; ++n) {
      if (Finds(low - n * term.step, high - n * term.step, i + 1)) return true;
    }
    return false;
  }

 private:
  const Terms &terms_;
  int64_t rest_low_[2 * AddressMap::kMaxDim + 1];
  int64_t rest_high_[2 * AddressMap::kMaxDim + 1];
  int tries_left_ = 10000;
};

/// Whether an element of one map has a byte of an element of the other one.
bool Meet(const AddressMap &a, const AddressMap &b) {
  Terms distance;  // from an element of a to one of b
  for (int d = 0; d < a.dim; ++d) distance.Add(-a.step[d], a.begin[d], a.end[d] - 1);
  for (int d = 0; d < b.dim; ++d) distance.Add(b.step[d], b.begin[d], b.end[d] - 1);
  const int64_t apart = a.address - b.address;
  return Search(distance).Finds(apart - b.size + 1, apart + a.size - 1);
}

}  // namespace

AddressMap::AddressMap(const Box &box)
    : address(static_cast<int64_t>(reinterpret_cast<intptr_t>(box.whole.dptr))),
      size(box.whole.size),
      dim(box.dim) {
  int64_t next = size;
  for (int d = dim - 1; d >= 0; --d) {
    step[d] = next;
    next = d == dim - 1 ? box.whole.stride * size : next * static_cast<int64_t>(box.extent[d]);
    address += static_cast<int64_t>(box.begin[d]) * step[d];
    begin[d] = 0;
    end[d] = extent[d] = static_cast<int64_t>(box.end[d]) - static_cast<int64_t>(box.begin[d]);
  }
}

void AddressMap::Shift(int d, int64_t offset, int64_t new_extent) {
  if (!known) return;
  address += offset * step[d];
  extent[d] = new_extent;
  begin[d] = std::max<int64_t>(begin[d] - offset, 0);
  end[d] = std::min(end[d] - offset, new_extent);
}

void AddressMap::Reverse(int d) {
  if (!known) return;
  address += (extent[d] - 1) * step[d];
  step[d] = -step[d];
  const int64_t old_begin = begin[d];
  begin[d] = extent[d] - end[d];
  end[d] = extent[d] - old_begin;
}

void AddressMap::TakeDiagonal() {
  if (!known) return;
  dim = 1;
  step[0] += step[1];
  begin[0] = std::max(begin[0], begin[1]);
  end[0] = std::min(end[0], end[1]);
}

void AddressMap::Permute(const int *axes) {
  if (!known) return;
  const AddressMap old = *this;
  for (int d = 0; d < dim; ++d) {
    extent[d] = old.extent[axes[d]];
    begin[d] = old.begin[axes[d]];
    end[d] = old.end[axes[d]];
    step[d] = old.step[axes[d]];
  }
}

void AddressMap::Repeat(int d, int64_t times) {
  if (!known) return;
  const bool has_element = begin[d] < end[d];
  step[d] = 0;
  extent[d] = times;
  begin[d] = 0;
  end[d] = has_element ? times : 0;
}

void AddressMap::Insert(int d, int64_t times) {
  known = known && dim < kMaxDim;
  if (!known) return;
  for (int i = dim++; i > d; --i) {
    extent[i] = extent[i - 1];
    begin[i] = begin[i - 1];
    end[i] = end[i - 1];
    step[i] = step[i - 1];
  }
  extent[d] = begin[d] = 0;
  end[d] = 1;
  Repeat(d, times);
}

void AddressMap::Reshape(const index_t *shape, int new_dim) {
  if (!known) return;
  const AddressMap old = *this;
  bool whole = true, same = new_dim == dim;
  for (int d = 0; d < dim; ++d) {
    whole = whole && begin[d] == 0 && end[d] == extent[d];
    same = same && static_cast<int64_t>(shape[d]) == extent[d];
  }
  if (same) return;
  known = whole && new_dim <= kMaxDim;
  dim = new_dim;
  int from = old.dim - 1;
  int64_t left = 1, next = 0;  // elements that are left of merged dimensions; the step along them
  for (int d = new_dim - 1; known && d >= 0; --d) {
    const int64_t size_d = static_cast<int64_t>(shape[d]);
    known = size_d != 0;
    if (!known) return;
    for (; left == 1 && from >= 0; --from) {
      left = old.extent[from];
      next = old.step[from];
    }
    while (left % size_d != 0 && from >= 0 && old.step[from] == next * left) {
      left *= old.extent[from--];
    }
    known = left % size_d == 0;
    extent[d] = end[d] = size_d;
    begin[d] = 0;
    step[d] = next;
    next *= size_d;
    left /= size_d;
  }
}

bool MayOverwrite(const AddressMap &written, const AddressMap &read) {
  if (!written.known || !read.known) return true;
  if (IsEmpty(written) || IsEmpty(read)) return false;
  if (AreOne(written, read) && AreApart(written, read)) return false;
  return Meet(written, read);
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

using ::mshadow::detail::AddressMap;
using ::mshadow::detail::Box;
using ::mshadow::detail::Overlap;

void CheckBoxes(const Box &written, Path to, const Box &view, Path from, const index_t *shape,
                int dim) {
  const Overlap overlap = Compare(written, view);
  const bool moved = to || from;
  if (overlap == Overlap::kNone || (overlap == Overlap::kSame && !moved)) return;
  AddressMap writes(written), reads(view);
  to.Map(&writes);
  if (writes.known) from.Map(&reads);
  if (writes.dim == dim && reads.dim == dim && !MayOverwrite(writes, reads)) return;
  if (moved) ThrowMovedRead(shape, dim);
  ThrowPartialOverlap(shape, dim);
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow
