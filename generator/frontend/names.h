// SPDX-License-Identifier: Apache-2.0
/// \file names.h
/// Which names may reach emitted code.
#ifndef MSHADOW_GENERATOR_FRONTEND_NAMES_H_
#define MSHADOW_GENERATOR_FRONTEND_NAMES_H_

#include <string>

#include "frontend/front_end.h"

namespace mgen {

/// Checks that `name`, of a rule, namespace, parameter or local, is an identifier in every language
/// that is emitted and in the C++ versions to come. Throws Rejected after reporting.
void CheckName(FrontEnd &front, const std::string &name, clang::SourceRange range);

/// The same of a rule or namespace, which emitted code declares by this name, beside what it uses.
void CheckDeclaredName(FrontEnd &front, const clang::NamedDecl *decl);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_NAMES_H_
