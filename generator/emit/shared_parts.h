// SPDX-License-Identifier: Apache-2.0
/// \file shared_parts.h
/// Expressions that are DAGs, to be printed as C++, which are trees: what is used twice is a
/// variable.
#ifndef MSHADOW_GENERATOR_EMIT_SHARED_PARTS_H_
#define MSHADOW_GENERATOR_EMIT_SHARED_PARTS_H_

#include <vector>

#include "ir/expr.h"

namespace mgen {

/// How many nodes `value` has as a tree, at most `limit`.
int TreeSize(const Expr &value, int limit);

/// Whether a formula is not printed whole: it has so many operations that nobody would read it. One
/// that uses its parts again and again might have any length.
bool IsLong(const Expr &formula);

/// An expression over variables for what it uses more than once.
struct SharedParts {
  std::vector<Expr> parts;  ///< part i is kLet i + 1 to those behind it, and to `value`
  Expr value;
};

/// \param least how many nodes a part has as a tree at least
SharedParts ShareParts(const Expr &value, int least);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_SHARED_PARTS_H_
