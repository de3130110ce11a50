// SPDX-License-Identifier: Apache-2.0
#include "sorted_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mshadow_test {
namespace {

using Row = std::vector<Estimate>;

bool IsFloat(const Estimate &e) { return mgen::IsFloat(e.kind); }
bool IsNan(const Estimate &e) { return IsFloat(e) && std::isnan(e.value); }

/// NaN is greatest.
bool IsLess(const Estimate &a, const Estimate &b) {
  if (!IsFloat(a)) return a.integer < b.integer;
  return IsNan(a) || IsNan(b) ? !IsNan(a) : a.value < b.value;
}

/// Whether what a kernel computed may compare otherwise than the values do.
bool MayMeet(const Estimate &a, const Estimate &b) {
  if (!IsFloat(a) || IsNan(a) || IsNan(b) || (a.bound == 0 && b.bound == 0)) return false;
  return !(std::abs(a.value - b.value) > static_cast<long double>(a.bound) + b.bound);
}

std::vector<size_t> Order(const Row &row, bool ascends) {
  std::vector<size_t> order(row.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return ascends ? IsLess(row[a], row[b]) : IsLess(row[b], row[a]);
  });
  return order;
}

/// A sorted element is off by at most the greatest error in the row.
Estimate Sorted(const Row &row, size_t at, bool is_undecided) {
  if (is_undecided) return Undecided(row[at].kind);
  Estimate value = row[at];
  for (const Estimate &other : row) value.bound = std::max(value.bound, other.bound);
  if (IsNan(value) || std::isinf(value.value)) value.bound = 0;
  return value;
}

Estimate ColumnOf(const Row &row, size_t at, bool is_undecided, mgen::ScalarKind kind) {
  for (size_t other = 0; other < row.size(); ++other) {
    is_undecided = is_undecided || (other != at && MayMeet(row[at], row[other]));
  }
  if (is_undecided) return Undecided(kind);
  return Convert(kind, ExactInteger(mgen::ScalarKind::kInt64, static_cast<int64_t>(at)));
}

}  // namespace

void SortEachRow(const Array &rows, bool ascends, Array *values, Array *columns) {
  const int64_t cols = rows.columns();
  const int64_t count = values != nullptr ? values->columns() : columns->columns();
  for (int64_t y = 0; y < rows.shape.at(0); ++y) {
    const auto begin = rows.elements.begin() + y * cols;
    const Row row(begin, begin + cols);
    const bool is_undecided =
        std::any_of(row.begin(), row.end(), [](const Estimate &e) { return e.undecided; });
    const std::vector<size_t> order = Order(row, ascends);
    for (int64_t i = 0; i < count; ++i) {
      const size_t at = order.at(static_cast<size_t>(i)), to = static_cast<size_t>(y * count + i);
      if (values != nullptr) values->elements.at(to) = Sorted(row, at, is_undecided);
      if (columns == nullptr) continue;
      Estimate &column = columns->elements.at(to);
      column = ColumnOf(row, at, is_undecided, column.kind);
    }
  }
}

}  // namespace mshadow_test
