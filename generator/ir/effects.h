// SPDX-License-Identifier: Apache-2.0
/// \file effects.h
/// What statements do to tensors. Whatever cuts, fuses or checks kernels asks here; what each
/// variant of a kernel loads and stores is in passes/accesses.h.
#ifndef MSHADOW_GENERATOR_IR_EFFECTS_H_
#define MSHADOW_GENERATOR_IR_EFFECTS_H_

#include <set>
#include <string>
#include <vector>

#include "ir/walk.h"

namespace mgen {

/// The tensors that statements use, indices into Rule::params.
struct Effects {
  /// The tensors that values, calls and savers other than `=` read; each once, in order.
  std::vector<int> read;
  std::set<int> in_place;  ///< the tensors of `read` that are read in place, or by calls
  std::set<int> written;

  std::set<int> used() const;
  void Add(const Effects &other);
};

/// The effects of a statement. An `if` has those of its branches; a boundary has none.
Effects EffectsOf(const Statement &statement);
Effects EffectsOf(const std::vector<Statement> &body);

/// Whether something in Statement::fitting asks for one extent of a tensor alone.
bool AsksForExtent(const Expr &fitting);
/// The tensors in Statement::fitting that must have the shape or the values' length that the
/// statement says.
std::set<int> FittingTensors(const Statement &statement);

/// A tensor, and the tensors of which it is a view or a slice.
std::set<int> WithSources(const Rule &rule, int tensor);
std::set<int> WithSources(const Rule &rule, const std::set<int> &tensors);

/// The tensor that a write to \p tensor changes: the tensor of which it is a slice, or itself.
int OwnerOf(const Rule &rule, int tensor);
/// The tensor that says the shape of \p tensor: of a temporary it may be another one.
int ShapeOf(const Rule &rule, int tensor);

/// How messages name a tensor: "'out'", "a slice of 'out'", or "'out' in another shape".
std::string Mention(const Rule &rule, int tensor);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_EFFECTS_H_
