// SPDX-License-Identifier: Apache-2.0
/// \file find_rules.h
/// Which functions of a spec are to be generated, and for which types.
#ifndef MSHADOW_GENERATOR_FRONTEND_FIND_RULES_H_
#define MSHADOW_GENERATOR_FRONTEND_FIND_RULES_H_

#include <vector>

#include "frontend/clang_compat.h"

namespace mgen {

/// One MSHADOW_INSTANTIATE: for the rules of which name, and the tuples of types in their order.
struct Instantiation {
  /// Whether the rule has the name, in the same namespace.
  bool IsOf(const clang::FunctionDecl &rule) const;

  const clang::RecordDecl *mark;  ///< struct Rule_instances_N
  std::vector<std::vector<clang::QualType>> tuples;
  clang::SourceLocation location;
};

struct FoundRules {
  /// Marked MSHADOW_KERNEL or MSHADOW_EXPRESSION in the spec itself, not in what it includes.
  std::vector<const clang::FunctionDecl *> functions;
  std::vector<Instantiation> instantiations;  ///< those of included files, too
};

FoundRules FindRules(const clang::ASTContext &ast);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_FIND_RULES_H_
