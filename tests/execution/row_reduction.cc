// SPDX-License-Identifier: Apache-2.0
#include "row_reduction.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "ir/rule.h"

namespace mshadow_test {
namespace {

using mgen::Op;
using mgen::Reducing;
using mgen::ScalarKind;

constexpr size_t kLanes = 16;
constexpr size_t kLeaf = 512;

constexpr size_t kColumnLeaf = 32;

/// What a lane without elements has of a maximum or minimum.
Estimate Extreme(bool is_max, ScalarKind kind) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (mgen::IsFloat(kind)) return ExactFloat(kind, is_max ? -infinity : infinity);
  const int bits = 8 * mgen::Bytes(kind);
  const bool is_signed = mgen::CategoryOf(kind) == mgen::Category::kSigned;
  const uint64_t lowest = is_signed ? uint64_t{1} << (bits - 1) : 0;
  return ExactInteger(kind, static_cast<int64_t>(is_max ? lowest : ~lowest));
}

Estimate Number(ScalarKind kind, int64_t value) {
  return mgen::IsFloat(kind) ? ExactFloat(kind, static_cast<double>(value))
                             : ExactInteger(kind, value);
}

bool IsNan(const Estimate &a) {
  return !a.undecided && mgen::IsFloat(a.kind) && std::isnan(a.value);
}

/// A NaN on either side wins, which is not so with max and min.
Estimate Choose(Op op, ScalarKind kind, const Estimate &a, const Estimate &b) {
  if (!a.undecided && !b.undecided) {
    if (IsNan(a)) return a;
    if (IsNan(b)) return b;
  }
  return mshadow_test::Apply(op, kind, {a, b});
}

/// Neighbours first, until one is left.
Estimate Pairwise(const Combiner &combiner, std::vector<Estimate> values) {
  while (values.size() > 1) {
    std::vector<Estimate> next;
    for (size_t i = 0; i < values.size(); i += 2) {
      next.push_back(i + 1 < values.size() ? combiner.merge(values[i], values[i + 1]) : values[i]);
    }
    values = std::move(next);
  }
  return values.front();
}

/// Adds to \p leaves elements first, first + step, …, in leaves of the elements that \p leaf_size
/// lie between.
void AddLeaves(const Combiner &combiner, const std::vector<Estimate> &elements, size_t first,
               size_t step, size_t leaf_size, std::vector<Estimate> *leaves) {
  for (size_t begin = 0; begin < elements.size(); begin += leaf_size) {
    Estimate leaf = combiner.initial;
    for (size_t i = begin + first; i < begin + leaf_size && i < elements.size(); i += step) {
      leaf = combiner.reduce(leaf, elements[i]);
    }
    leaves->push_back(leaf);
  }
}

Estimate Result(const Combiner &combiner, std::vector<Estimate> leaves) {
  if (leaves.empty()) leaves.push_back(combiner.initial);
  return Pairwise(combiner, leaves);
}

}  // namespace

Combiner CombinerOf(Op op, ScalarKind kind) {
  Op combine = Op::kAdd;
  Estimate initial = Number(kind, 0);
  switch (mgen::ReducingOf(op)) {
    case Reducing::kSum:
      break;
    case Reducing::kProduct:
      combine = Op::kMul;
      initial = Number(kind, 1);
      break;
    case Reducing::kMax:
    case Reducing::kMin: {
      const bool is_max = mgen::ReducingOf(op) == Reducing::kMax;
      const auto choose = [is_max, kind](const Estimate &a, const Estimate &b) {
        return Choose(is_max ? Op::kMax : Op::kMin, kind, a, b);
      };
      return {Extreme(is_max, kind), choose, choose};
    }
    default:
      throw std::invalid_argument("no reducer of the runtime's");
  }
  const auto apply = [combine, kind](const Estimate &a, const Estimate &b) {
    return mshadow_test::Apply(combine, kind, {a, b});
  };
  return {initial, apply, apply};
}

Estimate ReduceRow(const Combiner &combiner, const std::vector<Estimate> &row) {
  return ReduceChannel(combiner, {row});
}

Estimate ReduceChannel(const Combiner &combiner, const std::vector<std::vector<Estimate>> &planes) {
  std::vector<Estimate> lanes;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    std::vector<Estimate> leaves;
    for (const std::vector<Estimate> &plane : planes) {
      AddLeaves(combiner, plane, lane, kLanes, kLeaf, &leaves);
    }
    lanes.push_back(Result(combiner, leaves));
  }
  return Pairwise(combiner, lanes);
}

Estimate ReduceColumn(const Combiner &combiner, const std::vector<Estimate> &column) {
  std::vector<Estimate> leaves;
  AddLeaves(combiner, column, 0, 1, kColumnLeaf, &leaves);
  return Result(combiner, leaves);
}

Estimate NumberOf(Op op, ScalarKind kind, const std::vector<Estimate> &values) {
  const Op better = mgen::ReducingOf(op) == Reducing::kArgMax ? Op::kGt : Op::kLt;
  size_t chosen = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].undecided) return Undecided(kind);
    if (IsNan(values[i])) return Number(kind, static_cast<int64_t>(i));
  }
  for (size_t i = 1; i < values.size(); ++i) {
    const Estimate is_better =
        mshadow_test::Apply(better, ScalarKind::kBool, {values[i], values[chosen]});
    if (is_better.undecided) return Undecided(kind);
    if (is_better.integer != 0) chosen = i;
  }
  return Number(kind, static_cast<int64_t>(chosen));
}

}  // namespace mshadow_test
