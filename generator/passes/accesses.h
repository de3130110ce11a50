// SPDX-License-Identifier: Apache-2.0
/// \file accesses.h
/// Finds what the variants of a kernel load and store: which old values they need, when each tensor
/// is written, which tensors may alias, and how many bytes move.
#ifndef MSHADOW_GENERATOR_PASSES_ACCESSES_H_
#define MSHADOW_GENERATOR_PASSES_ACCESSES_H_

#include <map>
#include <utility>
#include <vector>

#include "ir/plan.h"
#include "passes/variants.h"

namespace mgen {

/// Bytes per element, first instance. Vectors that are read for rows or columns are not counted:
/// they stay in cache.
struct Traffic {
  int fused = 0;
  int unfused = 0;  ///< each statement reads its distinct tensors and writes its target
  int passes = 0;   ///< statements
};

struct Accesses {
  /// The reads of one tensor that have the same axes.
  struct Access {
    bool is_operand = false;   ///< false: a launch only checks its shape
    bool loaded = false;       ///< some variant reads the value from before the launch
    std::vector<bool> stored;  ///< by variant
    std::vector<bool> used;    ///< by variant: some statement uses it
  };
  /// By parameter and axes: the order of Plan::operands.
  std::map<std::pair<int, Axes>, Access> operands;
  /// Pairs (written, other): some variant reads `other` after it wrote `written`.
  std::map<std::pair<int, int>, bool> read_after_write;
  /// That of the variant that moves the most bytes unfused.
  Traffic traffic;
};

/// \param rule after expand_savers
/// \param conditions those of \p rule (ConditionsOf)
Accesses AccessesOf(const Rule &rule, const RuleConditions &conditions);

/// A pair for each written tensor and each other tensor that the rule uses. The two may be one
/// tensor if both are read and written element by element and have one type, the other is not
/// written, and no variant reads the other after it wrote the first: the loop loads both before it
/// stores.
std::vector<AliasRule> AliasesOf(const Rule &rule, const Accesses &accesses);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_ACCESSES_H_
