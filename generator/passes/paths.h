// SPDX-License-Identifier: Apache-2.0
/// \file paths.h
/// Finds the conditions around statements, and so which statements a launch runs together. Scalars
/// do not change during a launch: equal conditions have equal values.
#ifndef MSHADOW_GENERATOR_PASSES_PATHS_H_
#define MSHADOW_GENERATOR_PASSES_PATHS_H_

#include <vector>

#include "ir/rule.h"
#include "passes/value_numbers.h"

namespace mgen {

/// A condition, by its value number without negations, and whether it holds.
struct Branch {
  int condition;
  bool holds;
};
/// The branches around a statement, the outermost first.
using Path = std::vector<Branch>;

/// Finds paths. Those of one finder can be compared.
class PathFinder {
 public:
  /// The paths of the statements of a body, one for each, also within an `if`.
  std::vector<Path> Of(const std::vector<Statement> &body);

 private:
  void Visit(const std::vector<Statement> &body, std::vector<Path> *paths);

  ValueNumbers numbers_;
  Path path_;  // of the body that is visited
};

/// Whether no launch runs a path of `a` and a path of `b`.
bool AreExclusive(const std::vector<Path> &a, const std::vector<Path> &b);

/// Whether some path of `a` is taken by every launch that takes any path of `b`.
bool RunsAround(const std::vector<Path> &a, const std::vector<Path> &b);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_PATHS_H_
