// SPDX-License-Identifier: Apache-2.0
/// \file rules.h
/// Finds the rules of a spec and lowers each of their instances.
#ifndef MSHADOW_GENERATOR_FRONTEND_RULES_H_
#define MSHADOW_GENERATOR_FRONTEND_RULES_H_

#include <string>
#include <vector>

#include "diag/diagnostics.h"
#include "frontend/clang_compat.h"
#include "frontend/clang_diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// The rules of the main file, in source order, and for each its instances in theirs. A rule with
/// errors is left out.
/// \param spec the spec's name in Rule::spec
/// \param well_formed whether Clang found no error; if it did, only the rules' form is checked
std::vector<std::vector<Rule>> LowerRules(clang::ASTContext &ast, const std::string &spec,
                                          bool well_formed, Diagnostics &diagnostics);

/// The const tensor parameters of the rules of the main file.
std::vector<ConstTensor> FindConstTensors(clang::ASTContext &ast);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_RULES_H_
