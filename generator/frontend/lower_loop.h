// SPDX-License-Identifier: Apache-2.0
/// \file lower_loop.h
/// Loops whose iterations the generator can count. They are unrolled: the body is lowered once for
/// each iteration, in which the counter is a literal.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_LOOP_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_LOOP_H_

#include <optional>
#include <set>
#include <vector>

#include "frontend/lower_scalar.h"
#include "ir/rule.h"

namespace mgen {

/// A loop of the spec: the parts of a `for`, `while` or `do` statement. Parts that it does not have
/// are null.
struct SpecLoop {
  const clang::Stmt *statement;
  const clang::Stmt *init;
  const clang::Expr *condition;
  const clang::Expr *increment;
  const clang::Stmt *body;
  bool tests_first;  ///< false: `do`
};

bool IsLoop(const clang::Stmt *statement);
/// Nothing if the statement is no loop, or one over a range, or declares a variable in its
/// condition.
std::optional<SpecLoop> LoopOf(const clang::Stmt *statement);

/// The counters of the loops at hand, and those of this one: the variables in its condition.
std::set<const clang::VarDecl *> CountersWith(ScalarLowering &scalars, const SpecLoop &loop);

/// Whether the loop has another iteration. Throws Rejected after reporting a condition that the
/// generator cannot decide.
/// \param prologue values of the rule's own scalars
bool HasNext(ScalarLowering &scalars, const SpecLoop &loop, const std::vector<Local> &prologue);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_LOOP_H_
