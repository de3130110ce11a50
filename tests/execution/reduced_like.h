// SPDX-License-Identifier: Apache-2.0
/// \file reduced_like.h
/// The shape of what a kernel reduces, for the interpreter.
#ifndef MSHADOW_TESTS_EXECUTION_REDUCED_LIKE_H_
#define MSHADOW_TESTS_EXECUTION_REDUCED_LIKE_H_

#include <set>
#include <stdexcept>

#include "ir/effects.h"

namespace mshadow_test {

/// The tensors that reductions and scans read at the coordinates of their operand: neither vectors
/// along one of its axes nor what indices pick from.
inline std::set<int> ReducedInPlace(const mgen::Rule &rule) {
  std::set<int> tensors;
  mgen::ForEachStatement(rule, [&](const mgen::Statement &statement) {
    if (!statement.writes()) return;
    mgen::ForEachNode(statement.value, [&](const mgen::Expr &node) {
      if (mgen::KeptBy(*node).is_every()) return;
      for (const mgen::Expr &read : mgen::ReadNodesOf(node)) {
        if (mgen::IsInPlace(*read)) tensors.insert(read->index);
      }
    });
  });
  return tensors;
}

/// A tensor of the shape that a kernel reduces: one whose elements it uses or, if there is none,
/// one whose elements operators ignore. An index into Rule::params.
/// \param values tensors with one value for what the kernel reduces
/// \param used the tensors of the kernel's statements
/// \throws std::invalid_argument if the kernel reduces nothing
inline int ReducedLike(const mgen::Rule &rule, const std::set<int> &values,
                       const std::set<int> &used) {
  const std::set<int> in_place = ReducedInPlace(rule);
  for (const bool is_sure : {true, false}) {
    for (const int tensor : used) {
      if (rule.params[tensor].is_temporary || values.count(tensor) != 0) continue;
      if (!is_sure || in_place.count(tensor) != 0) return tensor;
    }
  }
  int argument = -1, view = -1;
  mgen::ForEachStatement(rule, [&](const mgen::Statement &statement) {
    for (const int tensor : mgen::FittingTensors(statement)) {
      const mgen::Param &param = rule.params[tensor];
      if (values.count(tensor) != 0) continue;
      if (param.is_argument()) argument = tensor;
      if (param.view) view = tensor;
    }
  });
  if (argument < 0 && view < 0) throw std::invalid_argument("nothing is reduced");
  return argument < 0 ? view : argument;
}

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_REDUCED_LIKE_H_
