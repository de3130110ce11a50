// SPDX-License-Identifier: Apache-2.0
/// \file effects.h
/// What statements do to tensors. Whatever cuts, fuses or checks kernels asks here; what each
/// variant of a kernel loads and stores is in passes/accesses.h.
#ifndef MSHADOW_GENERATOR_IR_EFFECTS_H_
#define MSHADOW_GENERATOR_IR_EFFECTS_H_

#include <set>
#include <vector>

#include "ir/walk.h"

namespace mgen {

/// The tensors that statements use, indices into Rule::params.
struct Effects {
  /// What is read: by values, by the savers but `=`, and by products. Each once, in order.
  std::vector<int> read;
  std::set<int> in_place;  ///< of these: where the element stands, and by products
  std::set<int> written;

  std::set<int> used() const;
  void Add(const Effects &other);
};

/// Those of an `if` are those of its branches; a boundary has none.
Effects EffectsOf(const Statement &statement);
Effects EffectsOf(const std::vector<Statement> &body);

/// A tensor, and those that it is a view or a part of.
std::set<int> WithSources(const Rule &rule, int tensor);
std::set<int> WithSources(const Rule &rule, const std::set<int> &tensors);

/// The tensor that a write of this one changes: what it is a part of, or itself.
int OwnerOf(const Rule &rule, int tensor);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_EFFECTS_H_
