// SPDX-License-Identifier: Apache-2.0
#include "row_reduction.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace mshadow_test {
namespace {

using mgen::Op;
using mgen::ScalarKind;

constexpr size_t kLanes = 16;
constexpr size_t kLeaf = 512;

constexpr size_t kColumnLeaf = 32;

bool IsSum(Op op) { return mgen::Spelling(op) == "Sum"; }
bool IsMax(Op op) { return mgen::Spelling(op) == "Maximum"; }

/// What a lane without elements has.
Estimate Initial(Op op, ScalarKind kind) {
  const bool is_float = mgen::IsFloat(kind);
  if (IsSum(op)) return is_float ? ExactFloat(kind, 0) : ExactInteger(kind, 0);
  const double infinity = std::numeric_limits<double>::infinity();
  if (is_float) return ExactFloat(kind, IsMax(op) ? -infinity : infinity);
  const int bits = 8 * mgen::Bytes(kind);
  const bool is_signed = mgen::CategoryOf(kind) == mgen::Category::kSigned;
  const uint64_t lowest = is_signed ? uint64_t{1} << (bits - 1) : 0;
  return ExactInteger(kind, static_cast<int64_t>(IsMax(op) ? lowest : ~lowest));
}

Estimate Combine(Op op, ScalarKind kind, const Estimate &a, const Estimate &b) {
  if (IsSum(op)) return mshadow_test::Apply(Op::kAdd, kind, {a, b});
  // A NaN on either side wins, which is not so with max and min.
  if (!a.undecided && !b.undecided && mgen::IsFloat(kind)) {
    if (std::isnan(a.value)) return a;
    if (std::isnan(b.value)) return b;
  }
  return mshadow_test::Apply(IsMax(op) ? Op::kMax : Op::kMin, kind, {a, b});
}

/// Neighbours first, until one is left.
Estimate Pairwise(Op op, ScalarKind kind, std::vector<Estimate> values) {
  while (values.size() > 1) {
    std::vector<Estimate> next;
    for (size_t i = 0; i < values.size(); i += 2) {
      next.push_back(i + 1 < values.size() ? Combine(op, kind, values[i], values[i + 1])
                                           : values[i]);
    }
    values = std::move(next);
  }
  return values.front();
}

/// Adds to \p leaves elements first, first + step, …, in leaves of the elements that \p leaf_size
/// lie between.
void AddLeaves(Op op, ScalarKind kind, const std::vector<Estimate> &elements, size_t first,
               size_t step, size_t leaf_size, std::vector<Estimate> *leaves) {
  for (size_t begin = 0; begin < elements.size(); begin += leaf_size) {
    Estimate leaf = Initial(op, kind);
    for (size_t i = begin + first; i < begin + leaf_size && i < elements.size(); i += step) {
      leaf = Combine(op, kind, leaf, elements[i]);
    }
    leaves->push_back(leaf);
  }
}

Estimate Result(Op op, ScalarKind kind, std::vector<Estimate> leaves) {
  if (mgen::ClassOf(op) != mgen::OpClass::Reduce) throw std::invalid_argument("no reduction");
  if (leaves.empty()) leaves.push_back(Initial(op, kind));
  return Pairwise(op, kind, leaves);
}

}  // namespace

Estimate ReduceRow(Op op, ScalarKind kind, const std::vector<Estimate> &row) {
  return ReduceChannel(op, kind, {row});
}

Estimate ReduceChannel(Op op, ScalarKind kind, const std::vector<std::vector<Estimate>> &planes) {
  std::vector<Estimate> lanes;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    std::vector<Estimate> leaves;
    for (const std::vector<Estimate> &plane : planes) {
      AddLeaves(op, kind, plane, lane, kLanes, kLeaf, &leaves);
    }
    lanes.push_back(Result(op, kind, leaves));
  }
  return Pairwise(op, kind, lanes);
}

Estimate ReduceColumn(Op op, ScalarKind kind, const std::vector<Estimate> &column) {
  std::vector<Estimate> leaves;
  AddLeaves(op, kind, column, 0, 1, kColumnLeaf, &leaves);
  return Result(op, kind, leaves);
}

}  // namespace mshadow_test
