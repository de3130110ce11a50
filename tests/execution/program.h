// SPDX-License-Identifier: Apache-2.0
/// \file program.h
/// An expression of the IR, to be evaluated for many elements; part of interpreter.h.
#ifndef MSHADOW_TESTS_EXECUTION_PROGRAM_H_
#define MSHADOW_TESTS_EXECUTION_PROGRAM_H_

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "estimate.h"
#include "ir/expr.h"

namespace mshadow_test {

/// The operations of an expression, operands first.
class Program {
 public:
  /// What a leaf is; `indices` are the values of a read's index expressions.
  using LeafValue =
      std::function<Estimate(const mgen::Node &leaf, const std::vector<Estimate> &indices)>;
  using KindOf = std::function<mgen::ScalarKind(mgen::Type)>;

  Program(const mgen::Expr &root, const KindOf &kind_of);

  /// \param column the element's number in its row
  const Estimate &Run(const LeafValue &leaf_value, int64_t column = 0);

 private:
  struct Line {
    mgen::Expr node;
    mgen::ScalarKind kind;
    std::vector<size_t> args;
  };

  Estimate RunLine(const Line &line, const LeafValue &leaf_value) const;

  std::vector<Line> lines_;
  std::unordered_map<const mgen::Node *, size_t> index_;
  std::vector<Estimate> values_;
  std::vector<Estimate> args_;
  int64_t column_ = 0;
};

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_PROGRAM_H_
