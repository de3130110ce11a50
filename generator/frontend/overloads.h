// SPDX-License-Identifier: Apache-2.0
/// \file overloads.h
/// Rules that share a name: the rank of its first tensor tells each from the others.
#ifndef MSHADOW_GENERATOR_FRONTEND_OVERLOADS_H_
#define MSHADOW_GENERATOR_FRONTEND_OVERLOADS_H_

#include <vector>

#include "diag/diagnostics.h"
#include "frontend/clang_compat.h"
#include "ir/rule.h"

namespace mgen {

/// Whether another rule may have the name of this one: expressions and rules for any rank share
/// theirs with none.
bool MayBeOverloaded(const clang::FunctionDecl &function);

/// Gives each rule that shares its name a name of its own, "NormalizeRank2", under which it has
/// entries in C and Python. Reports rules whose first tensors have the same rank.
/// \param rules for each rule its instances
void NameOverloads(std::vector<std::vector<Rule>> *rules, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_OVERLOADS_H_
