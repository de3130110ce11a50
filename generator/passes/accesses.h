// SPDX-License-Identifier: Apache-2.0
/// \file accesses.h
/// What the variants of a kernel load and store: which old values it needs, what it writes when,
/// which tensors may be one, and how many bytes it moves.
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
  /// What is known of the reads of one tensor that have the same axes.
  struct Access {
    bool is_operand = false;   ///< else it must fit only
    bool loaded = false;       ///< some variant reads the value from before the launch
    std::vector<bool> stored;  ///< by variant
  };
  /// By parameter and axes, which is the order of the operands.
  std::map<std::pair<int, Axes>, Access> operands;
  /// Pairs (written, other): some variant reads `other` after it wrote `written`.
  std::map<std::pair<int, int>, bool> read_after_write;
  /// Of the variant that moves the most bytes unfused.
  Traffic traffic;
};

/// `rule` has its savers expanded; `conditions` are its own.
Accesses AccessesOf(const Rule &rule, const RuleConditions &conditions);

/// For each written tensor and each other one that the rule uses. Exact aliasing is allowed where
/// both are seen element by element, have one type, the other is not written, and no variant reads
/// the other after writing the first: the loop loads both before it stores.
std::vector<AliasRule> AliasesOf(const Rule &rule, const Accesses &accesses);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_ACCESSES_H_
