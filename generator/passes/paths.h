// SPDX-License-Identifier: Apache-2.0
/// \file paths.h
/// Below which conditions statements stand, and so which of them one launch runs together. Scalars
/// are what they are for a whole launch: equal conditions hold together.
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
  /// The paths of the statements of a body, those below an `if` for themselves.
  std::vector<Path> Of(const std::vector<Statement> &body);

 private:
  void Visit(const std::vector<Statement> &body, std::vector<Path> *paths);

  ValueNumbers numbers_;
  Path path_;  // of the body that is visited
};

/// Whether no launch takes a path of `a` and one of `b`.
bool AreExclusive(const std::vector<Path> &a, const std::vector<Path> &b);

/// Whether a launch that takes any path of `b` takes one path of `a`, the same whichever it is.
bool RunsAround(const std::vector<Path> &a, const std::vector<Path> &b);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_PATHS_H_
