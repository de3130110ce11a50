// SPDX-License-Identifier: Apache-2.0
/// \file hoist.h
/// Moves what is the same for every element out of the statements' values. The host computes it
/// once per launch. Part of the pass `plan`.
///
///     mul(sub(1.0f32, beta1), cast<f32>(grad))   →   mul(one_minus_beta1, cast<f32>(grad))
///
/// Bare literals stay. Of an integer division only the operands are hoisted: the spec may guard it,
/// and the host would always divide, perhaps by zero.
#ifndef MSHADOW_GENERATOR_PASSES_HOIST_H_
#define MSHADOW_GENERATOR_PASSES_HOIST_H_

#include <map>
#include <string>
#include <vector>

#include "ir/plan.h"
#include "passes/value_numbers.h"

namespace mgen {

class Hoister {
 public:
  explicit Hoister(const Rule &rule) : rule_(rule) {}

  /// Replaces the largest scalar parts of `value` by kHoisted. `target` names parts that have no
  /// better name ("weight" → weight_scalar).
  Expr Hoist(const Expr &value, const std::string &target);

  /// Replaces all of `value` by a kHoisted, unless it is a literal. `value` must be a scalar that
  /// is computed in any case.
  Expr HoistAll(const Expr &value, const std::string &target);

  /// The scalars in the order of their first use. Names are chosen here, when all are known. A
  /// parameter or local that is hoisted as it is keeps its name, unless one of `conditions` has it:
  /// emitted code has both in one scope.
  std::vector<HostScalar> Scalars(const std::vector<Condition> &conditions) const;

 private:
  int IndexOf(const Expr &value, const std::string &target);

  const Rule &rule_;
  ValueNumbers numbers_;
  std::map<int, int> index_of_number_;
  std::vector<Expr> values_;
  std::vector<std::string> targets_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_HOIST_H_
