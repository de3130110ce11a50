// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mshadow/detail/row_indices.h"
#include "mshadow/extension/errors.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// A hash table with open addressing, at most half full. A slot has a position + 1.
Repeat FindRepeatIn(const int64_t *rows, int64_t count) {
  int bits = 1;
  while ((int64_t{1} << bits) < 2 * count) ++bits;
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  Workspace memory;
  int64_t *const slots = memory.Take<int64_t>(int64_t{1} << bits);
  for (uint64_t i = 0; i <= mask; ++i) slots[i] = 0;
  for (int64_t i = 0; i < count; ++i) {
    constexpr uint64_t kGolden = 0x9e3779b97f4a7c15u;  // 2^64 / the golden ratio: Fibonacci hashing
    uint64_t slot = static_cast<uint64_t>(rows[i]) * kGolden >> (64 - bits);
    for (; slots[slot] != 0; slot = (slot + 1) & mask) {
      if (rows[slots[slot] - 1] == rows[i]) return {slots[slot] - 1, i};
    }
    slots[slot] = i + 1;
  }
  return {0, 0};
}

}  // namespace detail
MSHADOW_VERSION_END

namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

std::string Text(int64_t value) { return std::to_string(value); }

}  // namespace

using ::mshadow::detail::ShapeText;
using ::mshadow::detail::ThrowError;

void CheckAxis(const char *what, int64_t axis, int64_t first, int64_t last) {
  if (first <= axis && axis <= last) return;
  ThrowError(std::string(what) + ": axis " + Text(axis) + " is not within [" + Text(first) + "," +
             Text(last) + "]");
}

void CheckPositive(const char *what, const char *name, int64_t value) {
  if (value > 0) return;
  ThrowError(std::string(what) + ": the " + name + " " + Text(value) + " is not positive");
}

void CheckNotNegative(const char *what, const char *name, int64_t value) {
  if (value >= 0) return;
  ThrowError(std::string(what) + ": the " + name + " " + Text(value) + " is negative");
}

void CheckRange(const char *what, int dim, int64_t begin, int64_t end, int64_t size) {
  if (0 <= begin && begin <= end && end <= size) return;
  ThrowError(std::string(what) + ": [" + Text(begin) + "," + Text(end) +
             ") is not within dimension " + Text(dim) + ", whose extent is " + Text(size));
}

void CheckNumbers(int64_t uncountable) {
  if (uncountable == 0) return;
  ThrowError("reduction to an index: the element type does not hold index " + Text(uncountable) +
             "; convert the reduced expression with tcast");
}

void ThrowMisfit(const char *what, const char *why, const index_t *a, int a_dim, const index_t *b,
                 int b_dim) {
  ThrowError(std::string(what) + ": " + why + ", shapes " + ShapeText(a, a_dim) + " and " +
             ShapeText(b, b_dim));
}

void CheckWindow(const char *what, index_t size_y, index_t size_x, index_t stride_y,
                 index_t stride_x, index_t dilation_y, index_t dilation_x) {
  CheckPositive(what, "height of a window", size_y);
  CheckPositive(what, "width of a window", size_x);
  CheckPositive(what, "vertical stride", stride_y);
  CheckPositive(what, "horizontal stride", stride_x);
  CheckPositive(what, "vertical dilation", dilation_y);
  CheckPositive(what, "horizontal dilation", dilation_x);
}

void CheckPooled(const char *what, int dim, const index_t *source, const index_t *pooled,
                 const index_t *grad, int begin, int end) {
  if (!std::equal(pooled, pooled + dim, grad)) {
    ThrowMisfit(what, "pooled data and gradient differ", pooled, dim, grad, dim);
  }
  for (int d = 0; d < dim; ++d) {
    if ((d < begin || d >= end) && source[d] != pooled[d]) {
      ThrowMisfit(what, "source and pooled data differ in a dimension that is not pooled", source,
                  dim, pooled, dim);
    }
  }
}

void ThrowIndex(const char *what, double index, index_t place, index_t size) {
  std::string text = std::to_string(index);
  text.erase(text.find_last_not_of('0') + 1);  // 7.000000 is index 7
  if (text.back() == '.') text.pop_back();
  ThrowError(std::string(what) + ": index " + text + " at position " + Text(place) +
             " is not within [0," + Text(size) + ")");
}

void ThrowRepeat(const char *what, int64_t first, int64_t second, int64_t row) {
  ThrowError(std::string(what) + ": the indices at positions " + Text(first) + " and " +
             Text(second) + " are both row " + Text(row));
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow
