// SPDX-License-Identifier: Apache-2.0
/// \file shared_parts.h
/// Expressions are DAGs, but those of C++ are trees. So a node that is used more than once becomes
/// a variable.
#ifndef MSHADOW_GENERATOR_EMIT_SHARED_PARTS_H_
#define MSHADOW_GENERATOR_EMIT_SHARED_PARTS_H_

#include <vector>

#include "ir/expr.h"

namespace mgen {

/// How many nodes `value` has as a tree, at most `limit`.
int TreeSize(const Expr &value, int limit);

/// Whether a formula, as a tree, has so many operations that nobody would read it. Such a formula
/// is not printed whole: it might have any length.
bool IsLong(const Expr &formula);

/// An expression over variables for what it uses more than once.
struct SharedParts {
  std::vector<Expr> parts;  ///< part i is kLet i + 1 in later parts and in `value`
  Expr value;
};

/// \param least the number of nodes that a part, as a tree, must have
SharedParts ShareParts(const Expr &value, int least);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_SHARED_PARTS_H_
