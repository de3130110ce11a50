// SPDX-License-Identifier: Apache-2.0
#include "row_reduction.h"

#include <algorithm>
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
constexpr size_t kScanLeaf = 16;

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

namespace {

/// Scans leaves one after the other. \param both combines an earlier value with a later one
/// \param results of the elements so far, and before them what a row begins with
template <typename Value, typename Both>
void ScanLeaves(const Both &both, const std::vector<Value> &row, std::vector<Value> *results) {
  for (size_t begin = 0; begin < row.size(); begin += kScanLeaf) {
    const size_t end = std::min(begin + kScanLeaf, row.size());
    std::vector<Value> leaf(row.begin() + static_cast<std::ptrdiff_t>(begin),
                            row.begin() + static_cast<std::ptrdiff_t>(end));
    for (size_t block = 1; block < kScanLeaf; block *= 2) {
      for (size_t second = block; second < leaf.size(); second += 2 * block) {
        const Value last = leaf[second - 1];
        for (size_t i = second; i < std::min(second + block, leaf.size()); ++i) {
          leaf[i] = both(last, leaf[i]);
        }
      }
    }
    const Value earlier = results->back();
    for (const Value &value : leaf) results->push_back(both(earlier, value));
  }
}

}  // namespace

std::vector<Estimate> ScanRow(const Combiner &combiner, bool exclusive,
                              const std::vector<Estimate> &row) {
  std::vector<Estimate> elements, results = {combiner.initial};
  for (const Estimate &element : row) {
    elements.push_back(combiner.reduce(combiner.initial, element));
  }
  ScanLeaves(combiner.merge, elements, &results);
  exclusive ? results.pop_back() : static_cast<void>(results.erase(results.begin()));
  return results;
}

std::vector<Estimate> RecurRow(ScalarKind kind, const std::vector<Estimate> &factors,
                               const std::vector<Estimate> &terms) {
  struct Step {
    Estimate factor, term;
  };
  const auto both = [kind](const Step &left, const Step &right) {
    const auto apply = [kind](Op op, const Estimate &a, const Estimate &b) {
      return mshadow_test::Apply(op, kind, {a, b});
    };
    return Step{apply(Op::kMul, left.factor, right.factor),
                apply(Op::kAdd, apply(Op::kMul, right.factor, left.term), right.term)};
  };
  std::vector<Step> steps, results = {{Number(kind, 0), Number(kind, 0)}};
  for (size_t i = 0; i < terms.size(); ++i) steps.push_back({factors[i], terms[i]});
  ScanLeaves(both, steps, &results);
  std::vector<Estimate> values;
  for (size_t i = 1; i < results.size(); ++i) values.push_back(results[i].term);
  return values;
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
