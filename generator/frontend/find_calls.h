// SPDX-License-Identifier: Apache-2.0
/// \file find_calls.h
/// What a function of the runtime's calls of a struct of the user's: so instances of functions that
/// no rule calls itself are found.
#ifndef MSHADOW_GENERATOR_FRONTEND_FIND_CALLS_H_
#define MSHADOW_GENERATOR_FRONTEND_FIND_CALLS_H_

#include <map>
#include <string>

#include "frontend/clang_compat.h"

namespace mgen {

using Calls = std::map<std::string, const clang::FunctionDecl *>;

/// The functions that the body of `function` calls, by their names; of several the first.
Calls CallsIn(const clang::FunctionDecl *function);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_FIND_CALLS_H_
