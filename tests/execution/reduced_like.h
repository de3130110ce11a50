// SPDX-License-Identifier: Apache-2.0
/// \file reduced_like.h
/// The shape of what a kernel reduces, for the interpreter.
#ifndef MSHADOW_TESTS_EXECUTION_REDUCED_LIKE_H_
#define MSHADOW_TESTS_EXECUTION_REDUCED_LIKE_H_

#include <set>
#include <stdexcept>

#include "ir/effects.h"

namespace mshadow_test {

/// A tensor of the shape that a kernel reduces: one whose elements it uses or, if there is none,
/// one whose elements operators ignore. An index into Rule::params.
/// \param values tensors with one value for what the kernel reduces
/// \param used the tensors of the kernel's statements
/// \throws std::invalid_argument if the kernel reduces nothing
inline int ReducedLike(const mgen::Rule &rule, const std::set<int> &values,
                       const std::set<int> &used) {
  for (const int tensor : used) {
    if (!rule.params[tensor].is_temporary && values.count(tensor) == 0) return tensor;
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
